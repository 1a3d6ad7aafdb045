import { read } from "../../session/local-storage.ts";
import type { CameraState, Point } from "../contract.ts";
import { zooms } from "../scene/camera.ts";

/**
 * The view of a bot's flow in this browser, and its folded cards: a line for each number of the middle, one for the
 * corner, and one for each card.
 */
export const keyOfPlace = (botId: string): string => `parley.place.${botId}`;

/**
 * The corner of the canvas does not move when a panel opens at its end or figures appear above it, and these are closed
 * when the author returns. In a window of another size, the same point is in the middle.
 */
export type StoredPlace = {
  readonly middle: CameraState;
  readonly corner: Point;
  /** The size of the window to which the corner belongs. */
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

/** The stored view of a bot's flow; nothing if there is none, or if it can no longer be read. */
export function readPlace(botId: string) {
  const [x, y, size, ...rest] = (read(keyOfPlace(botId)) ?? "").split("\n");
  const at = cameraAt(Number(x), Number(y), Number(size));
  // Earlier versions of the builder stored no corner.
  const [mark, left, top, window] = rest[0]?.split(" ") ?? [];
  const hasCorner = mark === cornerMark;
  const corner = hasCorner && window === windowNow() ? cameraAt(Number(left), Number(top), Number(size)) : undefined;
  return { at, corner, folded: hasCorner ? rest.slice(1) : rest };
}

function cameraAt(x: number, y: number, zoom: number): CameraState | undefined {
  return Number.isFinite(x + y) && zoom >= zooms.least && zoom <= zooms.most ? { x, y, zoom } : undefined;
}
