import { read } from "../../session/local-storage.ts";
import { zooms } from "../scene/camera.ts";

/**
 * Where a bot's flow was looked at in this browser, and which cards were folded: a line for each number, and for each
 * card.
 */
export const keyOfPlace = (botId: string): string => `parley.place.${botId}`;

/** The kept view of a bot's flow; nothing if there is none, or where it can no longer be read. */
export function readPlace(botId: string) {
  const [x, y, size, ...folded] = (read(keyOfPlace(botId)) ?? "").split("\n");
  const [left, top, zoom] = [Number(x), Number(y), Number(size)];
  const isFit = Number.isFinite(left + top) && zoom >= zooms.least && zoom <= zooms.most;
  return { at: isFit ? { x: left, y: top, zoom } : undefined, folded };
}
