import type { Bench } from "../bench.ts";
import { compareSettings } from "../compare-settings.ts";
import { raisedLimits } from "../service.ts";

/**
 * Measures the cost of rate limits for a request: the limits of the address, the session, the bot and the workspace.
 */
export async function measureLimits(bench: Bench): Promise<void> {
  await compareSettings(bench, [
    { name: "RATE_LIMITS=off", settings: { RATE_LIMITS: "off" } },
    { name: "on", settings: { RATE_LIMITS: raisedLimits } },
  ]);
}
