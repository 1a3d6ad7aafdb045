import { startPollLoop } from "../concurrency/poll-loop.ts";
import { limits } from "../limits.ts";
import { isOutage } from "../store/database/outage.ts";

/** How a step keeps everybody else from its session while it performs effects. */
export type StepClaim = {
  /** Claims the step. Throws when somebody else was first. */
  take(): Promise<void>;
  /** Makes a live claim last anew. Throws when it has lapsed or is somebody else's. */
  renew(): Promise<void>;
};

/** How long a claim lasts by itself, and how often a step that lives renews it. */
export type ClaimTimes = { readonly seconds: number; readonly renewMs: number };

export const claimTimes: ClaimTimes = { seconds: limits.claims.seconds, renewMs: limits.claims.renewMs };

/** A claim that is renewed until it is let go; a node that dies lets it lapse within seconds. */
export type HeldClaim = {
  /** Whether, as far as this node knows, nobody else can have claimed the step. */
  isHeld(): boolean;
  /** To be called before each effect. Throws when the claim was lost; the step must not perform anything more. */
  require(): Promise<void>;
  /** Ends the renewing. The claim itself ends with the step's save, or lapses. */
  letGo(): void;
};

/** Takes the claim and holds it. */
export async function holdClaim(claim: StepClaim, { seconds, renewMs }: ClaimTimes): Promise<HeldClaim> {
  let heldUntil = 0;
  let loss: { readonly error: unknown } | undefined;
  let renewal: Promise<void> | undefined;

  // The database counts from when it runs the statement, which is never before it was sent.
  const extend = async (write: () => Promise<void>): Promise<void> => {
    const sentAt = performance.now();
    await write();
    heldUntil = sentAt + seconds * 1_000;
  };
  const renew = (): Promise<void> => {
    renewal ??= extend(claim.renew)
      .catch((error: unknown) => {
        // A database that does not answer says nothing about the claim: the next turn asks again.
        if (!isOutage(error)) loss = { error };
        throw error;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };

  await extend(claim.take);
  const renewals = startPollLoop({ everyMs: renewMs, startsWaiting: true, run: renew, onFailure: () => {} });
  const isHeld = () => loss === undefined && performance.now() < heldUntil;
  return {
    isHeld,
    async require() {
      if (loss) throw loss.error;
      if (!isHeld()) await renew();
    },
    letGo: () => void renewals.stop(),
  };
}
