import { LRUCache } from "lru-cache";
import type { PublishedBotRow } from "./published-bots.sql.ts";
import type { DatabaseClock } from "./session-cache.ts";

/** The size of the cache, and the size of a bot without the facts of its flow. */
const cacheBytes = 8 * 1024 * 1024;
const botBytes = 1_000;
const keptMs = 10 * 60_000;

/**
 * Published bots as this process last read them, so that a start needs no read. Cached bots may be outdated, so saving
 * a start checks that the bot has not changed. A start from an outdated bot is not saved but repeated with a read. A
 * start that performs effects or is rejected always reads the bot first.
 */
export type BotCache = {
  /** Returns an open bot that was read under this public id, or undefined if the bot must be read. */
  find(publicId: string): PublishedBotRow | undefined;
  /**
   * Caches a bot. Bots that are closed or suspended are not cached. Bots with a canary are not cached either, because
   * their chats start on different versions.
   */
  keep(publicId: string, bot: PublishedBotRow | null): void;
  /** Makes starts of this publication read the bot: `find` no longer returns it. */
  readAlways(publicId: string): void;
};

type Entry = { readonly bot: PublishedBotRow; readonly isAlwaysRead: boolean };

export function createBotCache(clock: DatabaseClock): BotCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bot }) => botBytes + 2 * JSON.stringify(bot.facts).length,
    ttl: keptMs,
  });
  // Public ids are case-insensitive.
  const keyOf = (publicId: string): string => publicId.toLowerCase();
  return {
    find(publicId) {
      const entry = entries.get(keyOf(publicId));
      const now = clock.now();
      return entry && !entry.isAlwaysRead && now ? { ...entry.bot, now } : undefined;
    },
    keep(publicId, bot) {
      const key = keyOf(publicId);
      const before = entries.peek(key);
      const isSame = before?.bot.botId === bot?.botId && before?.bot.publicationNumber === bot?.publicationNumber;
      if (!bot || bot.isClosed || bot.isSuspended || bot.canaryNumber !== null) entries.delete(key);
      else entries.set(key, { bot, isAlwaysRead: isSame && before?.isAlwaysRead === true });
    },
    readAlways(publicId) {
      const entry = entries.peek(keyOf(publicId));
      if (entry) entries.set(keyOf(publicId), { ...entry, isAlwaysRead: true });
    },
  };
}
