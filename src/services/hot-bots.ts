import { LRUCache } from "lru-cache";
import { limits } from "../limits.ts";
import type { PublishedBotRow } from "../store/published-bots.ts";
import type { DatabaseClock } from "./hot-sessions.ts";

/**
 * Published bots as this process read them last, so that a start need not read them. Nothing depends on them being true: the
 * statement that saves a start asks whether the bot still stands like that, and a start that began from something outdated is
 * not saved and begins again with a read. Whoever is to perform effects reads first.
 */
export type HotBots = {
  /** An open bot that was met under this public id, or undefined when it has to be read. */
  find(publicId: string): PublishedBotRow | undefined;
  keep(publicId: string, bot: PublishedBotRow): void;
  forget(publicId: string): void;
};

export function createHotBots(clock: DatabaseClock): HotBots {
  const entries = new LRUCache<string, PublishedBotRow>({ max: limits.hotBots, ttl: limits.hotBotMs });
  return {
    find(publicId) {
      const bot = entries.get(publicId);
      const now = clock.now();
      return bot && now && { ...bot, now };
    },
    keep: (publicId, bot) => void entries.set(publicId, bot),
    forget: (publicId) => void entries.delete(publicId),
  };
}
