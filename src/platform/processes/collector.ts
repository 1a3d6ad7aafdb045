import { type Clock, systemClock } from "../concurrency/clock.ts";
import type { Question } from "./messages.ts";

/** The question to all other processes, and the number of processes that gave no answer in time. */
export type Collected = { readonly answers: readonly unknown[]; readonly missing: number };

/** Asks all other processes of a node. */
export type Siblings = {
  /** The number of the process that asks. */
  readonly name: string;
  ask(question: Question, withinMs: number): Promise<Collected>;
};

/** Questions under way. */
export type Collector<Asked> = {
  /**
   * Sends the question to each of these processes and resolves when all have answered, or the time is over. Never
   * rejects.
   */
  ask(whom: readonly Asked[], options: { withinMs: number; send(to: Asked, id: number): void }): Promise<Collected>;
  answered(from: Asked, id: number, answer: unknown): void;
  /** The process will not answer any more. */
  gone(asked: Asked): void;
};

type Open<Asked> = {
  readonly waiting: Set<Asked>;
  readonly answers: unknown[];
  missing: number;
  finish(): void;
};

/**
 * A question is open until each process that was asked has answered or ended, or the question's time is over; after
 * that it is closed.
 */
export function createCollector<Asked>(clock: Pick<Clock, "startTimer"> = systemClock): Collector<Asked> {
  const questions = new Map<number, Open<Asked>>();
  let lastId = 0;
  const settle = (open: Open<Asked>): void => {
    if (open.waiting.size === 0) open.finish();
  };
  return {
    async ask(whom, { withinMs, send }) {
      const id = ++lastId;
      const done = Promise.withResolvers<void>();
      const open: Open<Asked> = { waiting: new Set(whom), answers: [], missing: 0, finish: done.resolve };
      questions.set(id, open);
      const cancelTimer = clock.startTimer(withinMs, done.resolve);
      for (const asked of whom) send(asked, id);
      settle(open);
      await done.promise;
      cancelTimer();
      questions.delete(id);
      return { answers: open.answers, missing: open.missing + open.waiting.size };
    },
    answered(from, id, answer) {
      const open = questions.get(id);
      if (!open?.waiting.delete(from)) return;
      open.answers.push(answer);
      settle(open);
    },
    gone(asked) {
      for (const open of questions.values()) {
        if (!open.waiting.delete(asked)) continue;
        open.missing++;
        settle(open);
      }
    },
  };
}
