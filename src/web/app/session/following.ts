import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, read } from "./local-storage.ts";

const key = "parley.preview-follows";
const chosen = signal(read(key) !== "no");

/** Whether the canvas follows a preview. Stored in this browser; initially true. */
export const isFollowing: ReadonlySignal<boolean> = chosen;

export function setFollowing(next: boolean): void {
  chosen.value = next;
  keep(key, next ? null : "no");
}
