import { waitFor } from "../support/wait.ts";

/** Counts the visitors inside, and can temporarily keep all visitors out. */
export type Turnstile = {
  /** Runs the work once the turnstile is open. */
  inside<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Closes the turnstile, waits until all visitors have left, runs the work, and opens the turnstile again. */
  whileEmpty(work: () => Promise<void>): Promise<void>;
};

const emptyWithinMs = 200_000;

export function createTurnstile(): Turnstile {
  let count = 0;
  let opened: PromiseWithResolvers<void> | undefined;
  return {
    async inside(work) {
      while (opened) await opened.promise;
      count++;
      try {
        return await work();
      } finally {
        count--;
      }
    },
    async whileEmpty(work) {
      opened = Promise.withResolvers();
      try {
        await waitFor(() => count === 0, { withinMs: emptyWithinMs, what: "visitors to have their answers" });
        await work();
      } finally {
        const { resolve } = opened;
        opened = undefined;
        resolve();
      }
    },
  };
}
