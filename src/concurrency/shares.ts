import { createKeyedLimiter, createLimiter, type LimiterOptions } from "./limiter.ts";

export type Usage = { readonly running: number; readonly waiting: number; readonly refused: number };

/** A limiter whose places are parted among those who want them: what one of them takes leaves places for the others. */
export type Shares<Owner extends string> = {
  /** Runs the task when each of its owners has a place free in its share, and then the whole has. An owner that is not known has no share. */
  run<T>(owners: Readonly<Partial<Record<Owner, string | undefined>>>, task: () => Promise<T>): Promise<T>;
  usage(): Usage;
};

/**
 * `shares` says how much of `width` one owner of each kind may take: a session an eighth, say, and a bot a half. A task is
 *
 *     (new) ─ each limiter on its way has a place ────→ running ─ it ends, well or badly ─→ (done)
 *     (new) ─ the first that has none ────────────────→ waiting in that one's line, holding places of those before
 *     (new) ─ and no room in its line ────────────────→ refused
 *     waiting ─ its turn comes ───────────────────────→ on to the next limiter; after the last one running
 *     waiting ─ maxWaitMs have passed in this line ───→ refused
 *
 * The shares come before the whole, smallest first: whoever waits for its own share waits in no line of others, and those that wait
 * in the line of the whole are no more of one owner than its share.
 */
export function createShares<Owner extends string>(
  options: LimiterOptions & { readonly shares: Readonly<Record<Owner, number>> },
): Shares<Owner> {
  const { width, maxWaiting = 0, shares } = options;
  let running = 0;
  let waiting = 0;
  let refused = 0;
  const whole = createLimiter(options);
  const parts = Object.entries<number>(shares)
    .map(([owner, share]) => ({ owner, places: Math.max(1, Math.floor(width * share)), share }))
    .toSorted((a, b) => a.share - b.share)
    .map(({ owner, places, share }) => ({
      owner,
      limiter: createKeyedLimiter({ ...options, width: places, maxWaiting: Math.ceil(maxWaiting * share) }),
    }));

  return {
    async run(owners, task) {
      const keys: Readonly<Record<string, string | undefined>> = owners;
      let hasStarted = false;
      const start = async () => {
        hasStarted = true;
        waiting--;
        running++;
        try {
          return await task();
        } finally {
          running--;
        }
      };
      const inTurn = parts.reduceRight(
        (next, { owner, limiter }) => {
          const key = keys[owner];
          return key === undefined ? next : () => limiter.run(key, next);
        },
        () => whole.run(start),
      );
      waiting++;
      try {
        return await inTurn();
      } finally {
        if (!hasStarted) {
          waiting--;
          refused++;
        }
      }
    },
    usage: () => ({ running, waiting, refused }),
  };
}
