import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, read } from "./local-storage.ts";

const key = "parley.preview-follows";
const chosen = signal(read(key) !== "no");

/** Whether the canvas follows a preview: as it was last chosen in this browser, and at first it does. */
export const isFollowing: ReadonlySignal<boolean> = chosen;

export function setFollowing(next: boolean): void {
  chosen.value = next;
  keep(key, next ? null : "no");
}
