import { AppError } from "../../errors.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createStatementGate, type StatementGate } from "./statement-gate.ts";

/**
 * Collects items and runs them in batches. Items that arrive while a batch is running are part of the next batch,
 * because a batch (a statement, a task for a thread) costs far more than an item. An item changes its state as follows:
 *
 *     (new) ────────────────────────────────────────────→ waiting, or rejected if `maxWaiting` items wait already
 *     waiting ─ a batch that contains the item starts ──→ running
 *     waiting ─ `maxWaitMs` have passed ────────────────→ rejected at the next check
 *     running ─ the batch returned its answer ──────────→ answered
 *     running ─ the batch returned fewer answers ───────→ waiting, at the front of the queue
 *     running ─ the batch failed, `isTriedAlone` ───────→ waiting, at the front of the queue, for a batch of one item
 *     running ─ the batch failed otherwise ─────────────→ failed
 *
 * A batch is due when fewer than `inFlight` batches are running, an item waits, and one of these conditions holds: the
 * gate is free, half a batch waits, the first item has waited for `patienceMs`, or the first item requires a batch of
 * one. The batcher checks this at the end of the event loop's turn in which an item arrived, when a batch ends, and
 * after `patienceMs`.
 *
 * Libraries do not fit: dataloader collects the requests of one turn of the event loop, has no limits and never
 * retries; p-queue has no batches.
 *
 * Adding an item costs 0.6 µs of processor time with 32 running (`bun test/tools/bench/concurrency.ts`; two cores, Bun
 * 1.4.4).
 */
export type Batcher<Item, Answer> = {
  /** Resolves to the item's answer. Rejects with the error of the item's batch, or with `server.overloaded`. */
  add(item: Item): Promise<Answer>;
};

/** Called after each successful batch. `of` is the name of the batcher. */
export type OnBatch = (of: string, batch: { readonly rows: number; readonly ms: number }) => void;

export type BatcherOptions<Item, Answer> = {
  readonly name?: string;
  readonly onBatch?: OnBatch | undefined;
  /**
   * Returns the answers in the order of the items. If there are fewer answers than items, the items without an answer
   * were not run.
   */
  run(items: readonly Item[]): Promise<readonly Answer[]>;
  /**
   * Whether an item of a failed batch is retried in a batch of one. `failedAlone` counts the failed batches that
   * contained only this item.
   */
  isTriedAlone(error: unknown, failedAlone: number): boolean;
  readonly maxBatch: number;
  readonly inFlight: number;
  readonly maxWaiting: number;
  readonly maxWaitMs?: number;
  /** Defaults to 20 ms, which is several times the duration of a statement. */
  readonly patienceMs?: number;
  /**
   * The gate shared with other batchers. Defaults to a private gate, which is free while none of this batcher's batches
   * is running.
   */
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
      if (answers.length === 0) throw new Error("A batch returned a result for none of its items");
      waiting.unshift(...batch.slice(answers.length));
      // The gate is released before the answers are delivered, so that the database does not wait for their handlers.
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
   * Rejects items that have waited too long. Items wait in order of arrival; items that a batch did not complete are at
   * the front.
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
    // The item for which the timer was set may be gone, so `schedule` checks again whether a batch is due.
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
