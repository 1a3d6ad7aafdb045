import type { Box, CameraState, Point } from "../contract.ts";
import { boxOf, fitted, margin } from "../scene/camera.ts";
import { overlaps, sizes, unionOf } from "../scene/geometry.ts";
import type { OpenView } from "../view.ts";

/**
 * The lowest zoom at which cards are readable. If the whole flow needs a lower zoom, the beginning of the flow is shown
 * at the zoom `near` instead.
 */
const leastReadable = 0.7;
const near = 0.85;

/**
 * Sets the first view of a flow. The candidates, in order: the card in the link, the position of the last visit, the
 * whole flow if it is legible, and the beginning of the flow.
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
  // In an empty flow, the preview of the first group is beside the start.
  const isEmpty = list.every(({ kind }) => kind === "event") && size.width >= 720;
  const all = fitted(isEmpty ? { ...bounds, width: bounds.width + 96 + sizes.card } : bounds, size);
  if (linked) camera.state.value = beginningAt(linked, [linked], size);
  // The cards that were in view may have been moved or removed since.
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

/**
 * Returns the camera with a card at the left edge, or in the middle if the card has no neighbours. Vertically, the
 * neighbours are centred if they fit. Otherwise, the card is as near to the middle as the neighbours allow.
 */
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
