import { type Clock, systemClock } from "../concurrency/clock.ts";
import type { Question } from "./messages.ts";

/** The answers of the other processes, and the number of processes that did not answer. */
export type Collected = { readonly answers: readonly unknown[]; readonly missing: number };

/** Sends questions to all other processes of a node. */
export type Siblings = {
  /** The name of this process. */
  readonly name: string;
  ask(question: Question, withinMs: number): Promise<Collected>;
};

/** Sends questions to processes and collects their answers. */
export type Collector<Asked> = {
  /**
   * Sends the question to each process in `whom`. Resolves when all processes have answered or the time limit is
   * reached. Never rejects.
   */
  ask(whom: readonly Asked[], options: { withinMs: number; send(to: Asked, id: number): void }): Promise<Collected>;
  answered(from: Asked, id: number, answer: unknown): void;
  /** Reports that the process has ended and will not answer. */
  gone(asked: Asked): void;
};

type Open<Asked> = {
  readonly waiting: Set<Asked>;
  readonly answers: unknown[];
  missing: number;
  finish(): void;
};

/** Creates a collector. A question is open until each receiver has answered or ended, or the time limit is reached. */
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
