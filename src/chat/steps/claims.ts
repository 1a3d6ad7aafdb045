import { LostRace } from "../../core/interpreter/step-errors.ts";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";

/** The statements of a claim. Each returns whether this process had the claim. */
export type ClaimStatements = {
  take(): Promise<boolean>;
  renew(): Promise<boolean>;
  end(options?: EndOfClaim): Promise<void>;
};

/** `isForgotten`: no retry of the request continues from the end of this attempt. */
type EndOfClaim = { readonly isForgotten: boolean };

/** How long a claim lasts without renewal, and how often it is renewed. */
export type ClaimTimes = { readonly seconds: number; readonly renewMs: number };

export const claimTimes: ClaimTimes = { seconds: limits.claims.seconds, renewMs: limits.claims.renewMs };

/**
 * The lease under which a step performs effects: while it is held, no other process steps the session.
 *
 *     unclaimed ─ require: taken ──────────────────────────→ held
 *     unclaimed ─ require: another process has it ─────────→ lost (LostRace)
 *     held ─ every `renewMs`, and require after its end ───→ held: renewed
 *     held ─ a renewal finds it lapsed or taken over ──────→ lost: every further require throws
 *     held ─ a renewal meets an outage ────────────────────→ held until its end; the next renewal asks again
 *     any ─ stop ──────────────────────────────────────────→ no longer renewed: the step's save ends it, or it lapses
 *     any ─ end ───────────────────────────────────────────→ ended at once: the step failed
 */
export type StepClaim = {
  /** Called before each effect. Throws when the claim cannot be taken or was lost: no further effect may begin. */
  require(): Promise<void>;
  /**
   * Called after an effect. Like `require`, but succeeds during an outage of the database, so that the effect's report
   * is not lost.
   */
  requireUnlessAway(): Promise<void>;
  /** Whether the step has claimed its session, even if it lost the claim since. */
  isTaken(): boolean;
  /** False once another process may have claimed the step. True as long as the step needs no claim. */
  mayGoOn(): boolean;
  stop(): void;
  end(options?: EndOfClaim): Promise<void>;
};

export function createClaim(
  statements: ClaimStatements,
  { claimTimes: times, clock }: { claimTimes: ClaimTimes; clock: Clock },
): StepClaim {
  let heldUntil: number | undefined;
  let loss: unknown;
  let renewal: Promise<void> | undefined;
  let renewals: PollLoop | undefined;

  const write = async (statement: () => Promise<boolean>): Promise<void> => {
    // The database counts from the moment it runs the statement, which is never before we sent it.
    const sentAt = clock.now();
    if (!(await statement())) throw new LostRace();
    heldUntil = sentAt + times.seconds * 1_000;
  };
  const renew = (): Promise<void> => {
    renewal ??= write(statements.renew)
      .catch((error: unknown) => {
        // An outage does not show whether the claim is lost.
        if (!isOutage(error)) loss = error;
        throw error;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };
  const isHeld = (until: number): boolean => loss === undefined && clock.now() < until;
  const require = async (): Promise<void> => {
    if (loss !== undefined) throw loss;
    if (heldUntil === undefined) {
      await write(statements.take);
      renewals = startPollLoop({
        ...{ everyMs: () => untilNext(clock, times.renewMs), startsWaiting: true, clock },
        run: renew,
        // The next renewal tries again, and `require` reports the loss.
        onFailure: () => {},
      });
    } else if (!isHeld(heldUntil)) await renew();
  };
  return {
    require,
    requireUnlessAway: () =>
      require().catch((error: unknown) => {
        if (!isOutage(error)) throw error;
      }),
    isTaken: () => heldUntil !== undefined,
    mayGoOn: () => heldUntil === undefined || isHeld(heldUntil),
    stop: () => void renewals?.stop(),
    async end(options) {
      void renewals?.stop();
      if (heldUntil !== undefined) await statements.end(options);
    },
  };
}

/**
 * All claims of a process are renewed at the same moments, so that they share a statement. The first one comes after
 * half of the time at the earliest.
 */
function untilNext(clock: Clock, everyMs: number): number {
  const leftMs = everyMs - (clock.now() % everyMs);
  return leftMs < everyMs / 2 ? leftMs + everyMs : leftMs;
}
