import type { OpenView } from "./view.ts";

/** Cards that are smaller than this cannot be read: then the beginning is shown, and not all. */
const leastReadable = 0.55;

/** Where a flow is first looked at from: all of it, where it can be read so, else its beginning. */
export function placeFirst(view: OpenView): void {
  const { camera } = view;
  const { width, height } = camera.size.value;
  const { bounds, cards } = view.scene.value;
  if (view.isPlaced || width === 0 || !bounds || view.types.value === undefined) return;
  view.isPlaced = true;
  const zoom = Math.min(1, (width - 96) / bounds.width, (height - 96) / bounds.height);
  if (zoom >= leastReadable) {
    const [x, y] = [bounds.x + bounds.width / 2 - width / zoom / 2, bounds.y + bounds.height / 2 - height / zoom / 2];
    camera.state.value = { x, y, zoom };
    return;
  }
  const list = [...cards.values()];
  const { box } = list.find(({ kind }) => kind === "event") ?? list[0] ?? { box: bounds };
  camera.state.value = { zoom: 0.8, x: box.x - 64 / 0.8, y: box.y + box.height / 2 - height / 0.8 / 2 };
}
