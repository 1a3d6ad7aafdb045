import { type Memory, parse, type Remembered, readRemembered } from "../browser/memory.ts";
import type { Remembering } from "../conversation/settings.ts";
import { type Past, tryStorage } from "./storage.ts";

/** A memory that learns how long visitors are remembered once the bot's settings are known. */
export type EmbedMemory = Memory & { settle(remembering: Remembering): void };

/**
 * Remembers an embedded chat: in the element, and in the browser's storage where the bot remembers its visitors. The page's
 * history belongs to the page. A browser that keeps nothing forgets.
 */
export function createEmbedMemory(key: string, past: Past): EmbedMemory {
  let kept: Remembering = "nowhere";
  const keep = (remembered: Remembered | undefined): void => {
    past.remembered = remembered;
    for (const where of ["session", "local"] as const) {
      tryStorage(where, (storage) => {
        if (remembered && kept === where) storage.setItem(key, JSON.stringify(remembered));
        else storage.removeItem(key);
        return null;
      });
    }
  };
  const stored = (where: "session" | "local"): Remembered | undefined =>
    readRemembered(parse(tryStorage(where, (storage) => storage.getItem(key)) ?? ""));
  if (past.isForgotten) keep(undefined);
  past.isForgotten = false;
  return {
    read: () => past.remembered ?? stored("session") ?? stored("local"),
    write: keep,
    forget: () => keep(undefined),
    settle(remembering) {
      kept = remembering;
    },
  };
}
