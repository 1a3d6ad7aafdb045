import { type Memory, parse, type Remembered, readRemembered } from "../browser/memory.ts";
import type { Remembering } from "../conversation/settings.ts";
import { type ElementMemory, tryStorage } from "./storage.ts";

/** A memory that learns its storage once the bot's settings are known. */
export type EmbedMemory = Memory & { setRemembering(remembering: Remembering): void };

/**
 * Remembers an embedded chat: in the element, and in the browser's storage where the bot remembers its visitors. The page's
 * history entry belongs to the page.
 */
export function createEmbedMemory(key: string, elementMemory: ElementMemory): EmbedMemory {
  let remembersIn: Remembering = "nowhere";
  const keep = (remembered: Remembered | undefined): void => {
    elementMemory.remembered = remembered;
    for (const where of ["session", "local"] as const) {
      tryStorage(where, (storage) => {
        if (remembered && remembersIn === where) storage.setItem(key, JSON.stringify(remembered));
        else storage.removeItem(key);
        return null;
      });
    }
  };
  const stored = (where: "session" | "local"): Remembered | undefined =>
    readRemembered(parse(tryStorage(where, (storage) => storage.getItem(key)) ?? ""));
  if (elementMemory.isForgotten) keep(undefined);
  elementMemory.isForgotten = false;
  return {
    read: () => elementMemory.remembered ?? stored("session") ?? stored("local"),
    write: keep,
    forget: () => keep(undefined),
    keepsDrafts: () => remembersIn !== "nowhere",
    setRemembering(remembering) {
      remembersIn = remembering;
    },
  };
}
