import { createBell } from "./bell.ts";
import type { Outage } from "./outage.ts";

/** A look at the database that is taken again and again. */
export type Rounds = {
  /** Says that there may be something new: it is looked for at once instead of at the next turn of the clock. */
  wake(): void;
  /** Finishes what it has begun and takes nothing more. */
  stop(): Promise<void>;
};

type RoundsOptions = {
  readonly everyMs: number;
  /** Told of a look that failed: the next one is taken all the same. */
  readonly outage: Outage;
  /** `signal` ends with the rounds: a look that takes several steps breaks off between them. */
  look(signal: AbortSignal): Promise<void>;
};

export function startRounds({ everyMs, outage, look }: RoundsOptions): Rounds {
  const bell = createBell(everyMs);
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look(stopping.signal).then(outage.passed, outage.failed);
      await bell.wait();
    }
  };
  const ended = run();
  return {
    wake: bell.ring,
    async stop() {
      stopping.abort();
      bell.ring();
      await ended;
    },
  };
}
