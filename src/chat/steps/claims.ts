import { LostRace } from "../../core/interpreter/step-errors.ts";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";

/** The statements of a claim. `take` and `renew` return whether this process has the claim. */
export type ClaimStatements = {
  take(): Promise<boolean>;
  renew(): Promise<boolean>;
  end(options?: EndOfClaim): Promise<void>;
};

/** `isForgotten`: a retry of the request starts again instead of continuing this attempt. */
type EndOfClaim = { readonly isForgotten: boolean };

/** How long a claim lasts without a renewal, and how often it is renewed. */
export type ClaimTimes = { readonly seconds: number; readonly renewMs: number };

export const claimTimes: ClaimTimes = { seconds: limits.claims.seconds, renewMs: limits.claims.renewMs };

/**
 * The lease under which a step performs effects. While a claim is held, no other process runs a step of the session.
 *
 *     unclaimed ─ require: the claim is free ──────────────→ held
 *     unclaimed ─ require: another process has the claim ──→ lost (LostRace)
 *     held ─ every `renewMs`, and require after expiry ────→ held: renewed
 *     held ─ a renewal finds it ended or taken over ───────→ lost: every further require throws
 *     held ─ a renewal fails because of an outage ─────────→ held until it expires; the next renewal tries again
 *     any ─ stop ──────────────────────────────────────────→ no longer renewed: the step's save ends it, or it expires
 *     any ─ end ───────────────────────────────────────────→ ended immediately, because the step failed
 */
export type StepClaim = {
  /**
   * Takes the claim, or renews it if it has expired. Throws if the claim cannot be taken or was lost, so that no
   * further effect starts.
   */
  require(): Promise<void>;
  /**
   * Called after an effect. Like `require`, but succeeds during an outage of the database, so that the effect's report
   * is not lost.
   */
  requireUnlessAway(): Promise<void>;
  /** Whether the step has claimed its session, even if the claim has been lost since. */
  isTaken(): boolean;
  /** Whether the step may continue: it has taken no claim, or no other process can have claimed it since. */
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
    // The database counts from the moment at which it runs the statement, which is never before the statement was sent.
    const sentAt = clock.now();
    if (!(await statement())) throw new LostRace();
    heldUntil = sentAt + times.seconds * 1_000;
  };
  const renew = (): Promise<void> => {
    renewal ??= write(statements.renew)
      .catch((error: unknown) => {
        // During an outage, it is unknown whether the claim is lost.
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
 * Returns the milliseconds until the next renewal. All claims of a process are renewed at the same moments, so that
 * they share a statement. The first renewal happens after at least half of the interval.
 */
function untilNext(clock: Clock, everyMs: number): number {
  const leftMs = everyMs - (clock.now() % everyMs);
  return leftMs < everyMs / 2 ? leftMs + everyMs : leftMs;
}
