import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { AdvanceAnswer, AdvanceTask } from "./messages.ts";

/** Tasks wait here for a thread; those that wait anyway travel together. */
export type Batches = {
  /** Refuses with `server.overloaded` when too many wait already. */
  run(task: AdvanceTask): Promise<AdvanceAnswer>;
};

type Waiting = {
  readonly task: AdvanceTask;
  /** Was in a batch that had to be killed: goes alone, so that only the one to blame is killed again. */
  isAlone: boolean;
  resolve(answer: AdvanceAnswer): void;
  reject(error: unknown): void;
};

/**
 * Hands tasks to `width` threads. Waking a thread costs more than most steps (about 150 µs where it was measured: a small
 * virtual machine), so a free thread gets all that waits, up to a bound. No timer: what comes alone goes alone. A thread
 * may give the last tasks of a batch back unthought; they go first next time. `visit` thinks a batch through, and throws
 * `step.over_budget` when it had to be killed after `maxMs`.
 */
export function createBatches(options: {
  width: number;
  queue: number;
  taskMs: number;
  visit(tasks: readonly AdvanceTask[], maxMs: number): Promise<readonly AdvanceAnswer[]>;
}): Batches {
  const { queue, taskMs, visit } = options;
  let waiting: Waiting[] = [];
  let free = options.width;
  let isScheduled = false;

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    const maxMs = batch.length === 1 ? taskMs : Math.min(taskMs, limits.threadBatchMs);
    try {
      const answers = await visit(
        batch.map(({ task }) => task),
        maxMs,
      );
      const unthought = batch.slice(answers.length);
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer);
      waiting = [...unthought, ...waiting];
    } catch (error) {
      if (batch.length === 1 || !isKilled(error)) for (const { reject } of batch) reject(error);
      else waiting = [...batch.map((lone) => ({ ...lone, isAlone: true })), ...waiting];
    }
  };
  const next = (): void => {
    isScheduled = false;
    while (free > 0 && waiting.length > 0) {
      const batch = takeBatch(waiting);
      waiting = waiting.slice(batch.length);
      free--;
      void settle(batch).finally(() => {
        free++;
        schedule();
      });
    }
  };
  const schedule = (): void => {
    if (isScheduled || free === 0 || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(next);
  };
  return {
    run(task) {
      if (waiting.length >= queue) throw new AppError("server.overloaded", { data: { waiting: waiting.length } });
      return new Promise((resolve, reject) => {
        waiting.push({ task, isAlone: false, resolve, reject });
        schedule();
      });
    },
  };
}

function takeBatch(waiting: readonly Waiting[]): readonly Waiting[] {
  const alone = waiting.findIndex(({ isAlone }) => isAlone);
  if (alone === 0) return waiting.slice(0, 1);
  return waiting.slice(0, Math.min(limits.threadBatch, alone < 0 ? waiting.length : alone));
}

function isKilled(error: unknown): boolean {
  return error instanceof AppError && error.code === "step.over_budget";
}
