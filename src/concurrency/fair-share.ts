import { type Clock, systemClock } from "./clock.ts";

/**
 * Parts `total` units of something scarce among keys. One that holds some may take more while it then holds no more than twice what is
 * left: so one alone gets two thirds, many get equal parts, and whoever holds nothing finds some free. A request for units is
 *
 *     (new) ─ its key may have them, and no other key that waits holds less ─→ held
 *     (new) ─ otherwise ────────────────────────────────────────────────────→ waiting
 *     (new) ─ `maxWaiting` of its key wait, or `maxWaitingInAll` ────────────→ refused
 *     waiting ─ units come back, and it is first ────────────────────────────→ held
 *     waiting ─ `maxWaitMs` have passed, or its signal aborts ───────────────→ refused, and out of the line
 *     held ─ release ────────────────────────────────────────────────────────→ (done)
 *
 * First is the key that holds least, of equal ones the one that came and was not served yet, or longest ago; within a key the order is that of coming. Where the first does
 * not fit into what is left, nobody passes it.
 */
export type FairShare = {
  /** Waits for so many units; more than there are count as all. Gives what returns them. */
  acquire(key: string, amount: number, signal?: AbortSignal): Promise<() => void>;
  held(): number;
  waiting(): number;
};

export type FairShareOptions = {
  readonly total: number;
  /** Of one key, and of all. */
  readonly maxWaiting: number;
  readonly maxWaitingInAll: number;
  readonly maxWaitMs: number;
  refuse(): Error;
  readonly clock?: Clock;
};

type Waiter = { readonly amount: number; start(): void };
/** `turn` counts the requests that were served, up to the last one of the key; 0 before. */
type Line = { held: number; turn: number; readonly waiting: Set<Waiter> };

export function createFairShare(options: FairShareOptions): FairShare {
  const { total, maxWaiting, maxWaitingInAll, maxWaitMs, refuse, clock = systemClock } = options;
  /** Of each key that holds or waits. */
  const lines = new Map<string, Line>();
  let free = total;
  let waitingInAll = 0;
  let turns = 1;

  /** A key at its own bound stands in nobody's way. */
  const isWithinBound = ({ held }: Line, amount: number): boolean => held === 0 || held + amount <= 2 * (free - amount);
  const findFirst = (): { line: Line; waiter: Waiter } | undefined => {
    let first: { line: Line; waiter: Waiter } | undefined;
    for (const line of lines.values()) {
      const [waiter] = line.waiting;
      if (!waiter || !isWithinBound(line, waiter.amount)) continue;
      const least = first?.line ?? line;
      const isBefore = !first || line.held < least.held || (line.held === least.held && line.turn < least.turn);
      if (isBefore) first = { line, waiter };
    }
    return first;
  };
  const pump = (): void => {
    for (let first = findFirst(); first && first.waiter.amount <= free; first = findFirst()) {
      const { line, waiter } = first;
      line.waiting.delete(waiter);
      waitingInAll--;
      line.turn = turns++;
      line.held += waiter.amount;
      free -= waiter.amount;
      waiter.start();
    }
  };
  const forgetIfIdle = (key: string, line: Line): void => {
    if (line.held === 0 && line.waiting.size === 0) lines.delete(key);
  };
  const releaser = (key: string, line: Line, amount: number): (() => void) => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      line.held -= amount;
      free += amount;
      forgetIfIdle(key, line);
      pump();
    };
  };
  return {
    async acquire(key, wanted, signal) {
      signal?.throwIfAborted();
      const line = lines.get(key) ?? { held: 0, turn: 0, waiting: new Set() };
      lines.set(key, line);
      const amount = Math.min(wanted, total);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter: Waiter = { amount, start: resolve };
      line.waiting.add(waiter);
      waitingInAll++;
      pump();
      if (!line.waiting.has(waiter)) return releaser(key, line, amount);
      const leave = (reason: unknown): void => {
        if (!line.waiting.delete(waiter)) return;
        waitingInAll--;
        forgetIfIdle(key, line);
        reject(reason);
        // Who stood behind it may fit.
        pump();
      };
      if (line.waiting.size > maxWaiting || waitingInAll > maxWaitingInAll) leave(refuse());
      const onAbort = (): void => leave(signal?.reason);
      const stopTimer = clock.startTimer(maxWaitMs, () => leave(refuse()));
      signal?.addEventListener("abort", onAbort, { once: true });
      try {
        await promise;
      } finally {
        stopTimer();
        signal?.removeEventListener("abort", onAbort);
      }
      return releaser(key, line, amount);
    },
    held: () => total - free,
    waiting: () => waitingInAll,
  };
}
