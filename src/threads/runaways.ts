/** Bots whose steps lately took more than their share, so that they run apart from the others. */
export type Runaways = {
  add(botId: string): void;
  has(botId: string): boolean;
};

/** Remembers the last `most` of them, each for `ms` after its last such step. */
export function createRunaways({ most, ms }: { most: number; ms: number }): Runaways {
  const ends = new Map<string, number>();
  return {
    add(botId) {
      ends.delete(botId);
      ends.set(botId, performance.now() + ms);
      if (ends.size > most) ends.delete(ends.keys().next().value ?? "");
    },
    has(botId) {
      const end = ends.get(botId);
      if (end === undefined) return false;
      if (end > performance.now()) return true;
      ends.delete(botId);
      return false;
    },
  };
}
