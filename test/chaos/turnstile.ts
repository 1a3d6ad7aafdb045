import { waitFor } from "../support/wait.ts";

/** Counts the visitors inside, and can keep all out temporarily. */
export type Turnstile = {
  /** Does the work once it is let in. */
  inside<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Admits no visitor, waits until all have left, does the work, and opens again. */
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
