import { limits } from "../../limits/index.ts";
import { type Clock, pause } from "../concurrency/clock.ts";

/**
 * Keeps floods from being refused at full speed, which would take the processor time that all other requests need: a
 * client that ignores `Retry-After` gets its next refusal only after a delay.
 */
export type RefusalBrake = {
  /** Resolves when the next refusal of this process may be answered. */
  hold(): Promise<void>;
};

/**
 *     calm ─ a refusal, few before it in this second ─────────────→ answered at once
 *     flooded ─ a refusal, as many wait as may ───────────────────→ answered at once
 *     flooded ─ a refusal otherwise ──────────────────────────────→ answered after `refusalHoldMs`
 */
export function createRefusalBrake(clock: Clock): RefusalBrake {
  let secondEndsAt = 0;
  let refused = 0;
  let held = 0;
  return {
    async hold() {
      const now = clock.now();
      if (now >= secondEndsAt) {
        secondEndsAt = now + 1_000;
        refused = 0;
      }
      refused++;
      if (refused <= limits.rateLimits.refusalsAtOnce || held >= limits.rateLimits.refusalsHeld) return;
      held++;
      await pause(clock, limits.rateLimits.refusalHoldMs);
      held--;
    },
  };
}
