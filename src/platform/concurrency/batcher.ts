import { AppError } from "../../errors.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createStatementGate, type StatementGate } from "./statement-gate.ts";

/**
 * Takes items one by one and runs them in batches: items that become ready while a batch is under way travel together
 * in the next one, because a batch (a statement, a task for a thread) costs far more than an item. An item is
 *
 *     (new) ───────────────────────────────────────→ waiting, or refused when `maxWaiting` wait already
 *     waiting ─ a batch is due, and it is in it ───→ running
 *     waiting ─ `maxWaitMs` have passed ───────────→ refused, when the next batch is due
 *     running ─ the batch answered for it ─────────→ answered
 *     running ─ the batch did not get to it ───────→ waiting, first in the line
 *     running ─ the batch failed, `isTriedAlone` ──→ waiting, first in the line, for a batch of its own
 *     running ─ the batch failed otherwise ────────→ failed
 *
 * A batch is due when fewer than `inFlight` are under way and an item waits, and one of these holds: the gate is free,
 * half a batch waits, the first item has waited for `patienceMs`, or must go alone. The batcher checks this after the
 * event loop's turn in which an item came, when a batch ends, and after `patienceMs`.
 *
 * dataloader gathers the requests of one turn of the event loop, has no bounds and never retries; p-queue has no
 * batches.
 *
 * An add costs 0.6 µs of processor time with 32 under way (`bun test/tools/bench/concurrency.ts`; two cores, Bun
 * 1.4.4).
 */
export type Batcher<Item, Answer> = {
  /** Resolves to the item's answer. Rejects with its batch's error, or `server.overloaded`. */
  add(item: Item): Promise<Answer>;
};

/** Is called after each batch that did not fail, with the name of such batches. */
export type OnBatch = (of: string, batch: { readonly rows: number; readonly ms: number }) => void;

export type BatcherOptions<Item, Answer> = {
  readonly name?: string;
  readonly onBatch?: OnBatch | undefined;
  /** The answers in the order of the items. If there are fewer answers than items, the last items were not run. */
  run(items: readonly Item[]): Promise<readonly Answer[]>;
  /**
   * Whether an item of a failed batch is retried by itself. `failedAlone`: how many times a batch of this item alone
   * has failed.
   */
  isTriedAlone(error: unknown, failedAlone: number): boolean;
  readonly maxBatch: number;
  readonly inFlight: number;
  readonly maxWaiting: number;
  readonly maxWaitMs?: number;
  /** By default several times the duration of a statement. */
  readonly patienceMs?: number;
  /** Shared with other batchers; absent: a gate of its own, which is free while none of its batches is under way. */
  readonly gate?: StatementGate;
  readonly clock?: Clock;
};

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly since: number;
  isAlone: boolean;
  failedAlone: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  const { maxBatch, patienceMs = 20, gate = createStatementGate(), clock = systemClock } = options;
  type Entry = Waiting<Item, Answer>;
  const waiting: Entry[] = [];
  let inFlight = 0;
  let isScheduled = false;
  let isReminded = false;

  const isDue = (): boolean => {
    const [first] = waiting;
    if (!first || inFlight >= options.inFlight) return false;
    return gate.isFree() || waiting.length >= maxBatch / 2 || first.isAlone || clock.now() - first.since >= patienceMs;
  };
  const takeBatch = (): Entry[] => {
    if (waiting[0]?.isAlone) return waiting.splice(0, 1);
    const alone = waiting.findIndex(({ isAlone }) => isAlone);
    return waiting.splice(0, alone < 0 ? maxBatch : Math.min(alone, maxBatch));
  };
  const runBatch = async (batch: readonly Entry[], release: () => void): Promise<void> => {
    try {
      const startedAt = performance.now();
      const answers = await options.run(batch.map(({ item }) => item));
      options.onBatch?.(options.name ?? "", { rows: batch.length, ms: performance.now() - startedAt });
      if (answers.length === 0) throw new Error("A batch answered for none of its items");
      waiting.unshift(...batch.slice(answers.length));
      // The next batch starts before the answers are given: the database need not wait for their handlers.
      release();
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer);
    } catch (error) {
      if (batch.length === 1) for (const lone of batch) lone.failedAlone++;
      const again = batch.filter(({ failedAlone }) => options.isTriedAlone(error, failedAlone));
      for (const entry of again) entry.isAlone = true;
      waiting.unshift(...again);
      for (const entry of batch) if (!again.includes(entry)) entry.reject(error);
      release();
    }
  };
  const startBatches = (): void => {
    isScheduled = false;
    refuseLate();
    while (isDue()) {
      const batch = takeBatch();
      inFlight++;
      const leaveGate = gate.acquire();
      void runBatch(batch, () => {
        inFlight--;
        leaveGate();
      });
    }
    remind();
  };
  /**
   * Refuses items that have waited too long. Items wait in order of arrival; items of a batch that failed or did not
   * get to them come first.
   */
  const refuseLate = (): void => {
    if (options.maxWaitMs === undefined) return;
    const latest = clock.now() - options.maxWaitMs;
    while (waiting[0] && waiting[0].since <= latest) {
      waiting.shift()?.reject(new AppError("server.overloaded", { data: { waitedMs: options.maxWaitMs } }));
    }
  };
  const remind = (): void => {
    const [first] = waiting;
    if (isReminded || !first || inFlight >= options.inFlight) return;
    isReminded = true;
    // The item that the timer was set for may have left, and the first item may be due later.
    clock.startTimer(Math.max(1, first.since + patienceMs - clock.now()), () => {
      isReminded = false;
      schedule();
    });
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || inFlight >= options.inFlight) return;
    isScheduled = true;
    clock.setImmediate(startBatches);
  };
  gate.addWaiter({ waitsSince: () => waiting[0]?.since, start: startBatches });
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= options.maxWaiting) {
          throw new AppError("server.overloaded", { data: { waiting: waiting.length } });
        }
        waiting.push({ item, since: clock.now(), isAlone: false, failedAlone: 0, resolve, reject });
        schedule();
      }),
  };
}
