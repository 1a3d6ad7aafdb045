import { forgetOthers } from "../browser/acts/others-storage.ts";
import { type Memory, type Remembered, storedIn, storeIn } from "../browser/memory.ts";
import { forgetStored } from "../browser/storage.ts";
import type { Remembering } from "../conversation/settings.ts";
import type { ElementMemory } from "./storage.ts";

/**
 * Remembers an embedded chat: in the element, and in the browser's storage where the bot remembers its visitors, which
 * it learns once the bot's settings are known. The page's history entry belongs to the page.
 */
export function createEmbedMemory(key: string, elementMemory: ElementMemory) {
  let remembersIn: Remembering = "nowhere";
  const keep = (remembered: Remembered | undefined): void => {
    elementMemory.remembered = remembered;
    for (const where of ["session", "local"] as const)
      storeIn(where, key, remembersIn === where ? remembered : undefined);
  };
  if (elementMemory.isForgotten) {
    keep(undefined);
    forgetOthers(key);
  }
  elementMemory.isForgotten = false;
  return {
    key,
    read: () => elementMemory.remembered ?? storedIn("session", key) ?? storedIn("local", key),
    write: keep,
    forget: () => keep(undefined),
    keepsDrafts: () => remembersIn !== "nowhere",
    setRemembering(remembering: Remembering): void {
      remembersIn = remembering;
      forgetStored(key, remembering);
    },
  } satisfies Memory & { setRemembering: unknown };
}
