import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { createFairShare, type FairShare } from "../../platform/concurrency/fair-share.ts";
import type { OutgoingMetrics } from "./outgoing-metrics.ts";
import { BusyCall, FailedCall } from "./safe-fetch-exchange.ts";

/** The capacity for calls and long responses, which workspaces and event endpoints share fairly. */
export type OutgoingShares = {
  readonly calls: FairShare<"sharer">;
  /** The memory for long responses. A response takes up to three times its length while it is assembled. */
  readonly bytes: FairShare<"sharer">;
};

/**
 * The maximum total size of long responses on a node, which is divided among its processes. Each process can hold at
 * least four responses of maximum length.
 */
export const answerBytes = 128 * 1024 * 1024;
const fewestAnswers = 4;

/**
 * The limits of the waiting queue. If only one workspace or event endpoint makes calls, a third of the capacity,
 * including the queue, remains free for others.
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
  const share = (total: number, refuse: () => FailedCall): FairShare<"sharer"> =>
    createFairShare({
      ...{ total, ...line },
      refuse,
      ...(clock && { clock }),
    });
  const ofNode = (answerBytes * atOnce) / limits.outgoing.calls;
  const bytes = Math.max(ofNode, fewestAnswers * limits.outgoing.bytes);
  const shares = {
    calls: share(atOnce, () => new BusyCall()),
    // The request was already sent when its response needs memory, so this failure is not a BusyCall.
    bytes: share(bytes, () => new FailedCall("network", "Too many long responses are being read")),
  };
  metrics.watch(shares);
  return shares;
}
