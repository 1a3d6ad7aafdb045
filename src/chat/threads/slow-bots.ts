/** Bots whose steps recently took too long: their steps go to a slow thread for a while. */
export type SlowBots = {
  add(botId: string): void;
  has(botId: string): boolean;
};

/** Keeps the last `max` bots, each for `ms` after it was last added. */
export function createSlowBots(options: { max: number; ms: number; now?: () => number }): SlowBots {
  const { max, ms, now = () => performance.now() } = options;
  const ends = new Map<string, number>();
  return {
    add(botId) {
      ends.delete(botId);
      ends.set(botId, now() + ms);
      if (ends.size > max) ends.delete(ends.keys().next().value ?? "");
    },
    has(botId) {
      const end = ends.get(botId);
      if (end === undefined) return false;
      if (end > now()) return true;
      ends.delete(botId);
      return false;
    },
  };
}
