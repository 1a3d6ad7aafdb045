import { limits } from "../../limits/index.ts";
import { type Clock, pause } from "../concurrency/clock.ts";

/**
 * Limits the rate of rejections, because floods of rejected requests would use the processor time of all other
 * requests. A client that ignores `Retry-After` gets its next rejection only after a delay.
 */
export type RefusalBrake = {
  /** Resolves when this process may send its next rejection. */
  hold(): Promise<void>;
};

/**
 * A rejection is delayed only during a flood:
 *
 *     calm ─ a rejection, after few in the same second ──────────→ sent immediately
 *     flooded ─ a rejection while the maximum number waits ──────→ sent immediately
 *     flooded ─ any other rejection ─────────────────────────────→ sent after `refusalHoldMs`
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
