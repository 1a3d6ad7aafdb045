import { read } from "../../session/local-storage.ts";
import type { CameraState, Point } from "../contract.ts";
import { zooms } from "../scene/camera.ts";

/**
 * Returns the storage key of a bot's view and its folded cards. The value has three lines for the middle and the zoom,
 * a line for the corner, and a line for each folded card.
 */
export const keyOfPlace = (botId: string): string => `parley.place.${botId}`;

/**
 * The stored view of a flow, with both its middle and its corner.
 *
 * The corner is restored in a window of the same size, because a panel beside the canvas or figures above it move the
 * middle but not the corner, and the panel is closed when the author returns. In a window of another size, the middle
 * is restored.
 */
export type StoredPlace = {
  readonly middle: CameraState;
  readonly corner: Point;
  /** The size of the window for which the corner was stored. */
  readonly window: string;
};

const cornerMark = "corner";

export function windowNow(): string {
  return `${innerWidth}x${innerHeight}`;
}

export function placeText({ middle, corner, window }: StoredPlace, folded: readonly string[]): string {
  const [x, y, zoom, left, top] = [middle.x, middle.y, middle.zoom, corner.x, corner.y].map(
    (value) => Math.round(value * 1e4) / 1e4,
  );
  return [x, y, zoom, `${cornerMark} ${left} ${top} ${window}`, ...folded].join("\n");
}

/**
 * Returns the stored view of a bot's flow. `at` and `corner` are undefined if they are not stored or not valid.
 * `corner` is also undefined if the size of the window has changed.
 */
export function readPlace(botId: string) {
  const [x, y, size, ...rest] = (read(keyOfPlace(botId)) ?? "").split("\n");
  const at = cameraAt(Number(x), Number(y), Number(size));
  // Earlier versions of the builder did not store the corner.
  const [mark, left, top, window] = rest[0]?.split(" ") ?? [];
  const hasCorner = mark === cornerMark;
  const corner = hasCorner && window === windowNow() ? cameraAt(Number(left), Number(top), Number(size)) : undefined;
  return { at, corner, folded: hasCorner ? rest.slice(1) : rest };
}

function cameraAt(x: number, y: number, zoom: number): CameraState | undefined {
  return Number.isFinite(x + y) && zoom >= zooms.least && zoom <= zooms.most ? { x, y, zoom } : undefined;
}
