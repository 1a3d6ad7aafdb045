import type { Box, CameraState, Point } from "../contract.ts";
import { boxOf, fitted, margin } from "../scene/camera.ts";
import { overlaps, sizes, unionOf } from "../scene/geometry.ts";
import type { OpenView } from "../view.ts";

/**
 * Cards that are smaller than this cannot be read: then the beginning of the flow is shown at the zoom `near`, instead
 * of the whole flow.
 */
const leastReadable = 0.7;
const near = 0.85;

/**
 * The first view of a flow: a card in the link, the place of the last visit, all of it where that is legible, otherwise
 * its beginning.
 */
export function placeFirst(view: OpenView): void {
  const { camera } = view;
  const size = camera.size.value;
  const { bounds, cards, cardsIn } = view.scene.value;
  if (view.isPlaced || size.width === 0 || !bounds || view.types.value === undefined) return;
  view.isPlaced = true;
  const list = [...cards.values()];
  const { cardId, kept, corner } = view.lookAt;
  const linked = cards.get(cardId ?? "")?.box;
  const before = corner ?? (kept && centered(kept, kept.zoom, size));
  // In an empty flow the offer of a first group is beside its start.
  const isEmpty = list.every(({ kind }) => kind === "event") && size.width >= 720;
  const all = fitted(isEmpty ? { ...bounds, width: bounds.width + 96 + sizes.card } : bounds, size);
  if (linked) camera.state.value = beginningAt(linked, [linked], size);
  // The stored cards may have been removed, or have moved.
  else if (before && cardsIn(boxOf(before, size)).length > 0) camera.state.value = before;
  else if (all.zoom >= leastReadable) camera.state.value = all;
  else {
    const { box } = list.find(({ kind }) => kind === "event") ?? list[0] ?? { box: bounds };
    const seen = { ...box, x: box.x - margin / near, y: bounds.y, width: size.width / near, height: bounds.height };
    const column = list.flatMap((card) => (overlaps(card.box, seen) ? [card.box] : []));
    camera.state.value = beginningAt(box, column, size);
  }
}

type Size = { readonly width: number; readonly height: number };

/** The camera with a card at the left, at a height at which the neighbours fill the view and the card is visible. */
function beginningAt(box: Box, around: readonly Box[], size: Size): CameraState {
  const zoom = near;
  const height = size.height / zoom;
  const free = margin / zoom;
  const all = unionOf(around) ?? box;
  const isFitting = all.height + 2 * free <= height;
  const middle = box.y + box.height / 2 - height / 2;
  const y = isFitting
    ? all.y + all.height / 2 - height / 2
    : Math.min(Math.max(middle, all.y - free), all.y + all.height + free - height);
  return { zoom, x: around.length > 1 ? box.x - free : box.x + box.width / 2 - size.width / zoom / 2, y };
}

function centered({ x, y }: Point, zoom: number, { width, height }: Size): CameraState {
  return { zoom, x: x - width / zoom / 2, y: y - height / zoom / 2 };
}
