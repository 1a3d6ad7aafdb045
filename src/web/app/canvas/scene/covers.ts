import type { Box, View } from "../contract.ts";

/**
 * Returns the covered parts of a canvas, in canvas pixels. Covering elements have the attribute `data-covers` and are
 * inside the element with `data-ground`.
 */
export function coversOf(canvas: HTMLElement | undefined): readonly Box[] {
  if (!canvas) return [];
  const { left, top } = canvas.getBoundingClientRect();
  const over = (canvas.closest("[data-ground]") ?? canvas).querySelectorAll("[data-covers]");
  return [...over].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x - left, y: y - top, width, height };
  });
}

/** Returns the box of a block's row in world coordinates; undefined if the block has no row. */
export function rowBoxOf({ scene }: Pick<View, "scene">, blockId: string | undefined): Box | undefined {
  // Reads the scene without a subscription: effects reveal a row when it is selected, and not whenever an edit changes
  // the scene.
  const place = blockId === undefined ? undefined : scene.peek().rowOf(blockId);
  const row = place?.card.rows.find((one) => one.blockId === blockId);
  return place && row && { ...place.card.box, y: place.card.box.y + row.y, height: row.height };
}
