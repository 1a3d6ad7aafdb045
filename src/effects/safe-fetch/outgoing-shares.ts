import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { createFairShare, type FairShare } from "../../platform/concurrency/fair-share.ts";
import type { OutgoingMetrics } from "./outgoing-metrics.ts";
import { FailedCall } from "./safe-fetch-exchange.ts";

/** Keeps the calls of one workspace from taking the room of others. */
export type OutgoingShares = {
  readonly calls: FairShare<"sharer">;
  /** For long responses. A response takes up to three times its length while it is assembled. */
  readonly bytes: FairShare<"sharer">;
};

/**
 * The bytes of all long responses of a node, shared like its calls; but each process has room for four of the longest
 * responses.
 */
export const answerBytes = 128 * 1024 * 1024;
const fewestAnswers = 4;

/**
 * If only one workspace or event endpoint makes calls, it leaves a third of everything, including the queue, to others.
 */
const line = { shares: { sharer: 2 / 3 }, maxWaiting: 300, maxWaitMs: 5_000 };

export function createOutgoingShares({
  atOnce,
  metrics,
  clock,
}: {
  readonly atOnce: number;
  readonly metrics: OutgoingMetrics;
  readonly clock: Clock | undefined;
}): OutgoingShares {
  const share = (total: number, message: string): FairShare<"sharer"> =>
    createFairShare({
      ...{ total, ...line },
      refuse: () => new FailedCall("network", message),
      ...(clock && { clock }),
    });
  const ofNode = (answerBytes * atOnce) / limits.outgoing.calls;
  const bytes = Math.max(ofNode, fewestAnswers * limits.outgoing.bytes);
  const shares = {
    calls: share(atOnce, "Too many calls are under way"),
    bytes: share(bytes, "Too many long answers are being read"),
  };
  metrics.watch(shares);
  return shares;
}
