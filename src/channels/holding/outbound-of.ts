import type { ChannelDependencies } from "../dependencies.ts";
import { outboundDependencies } from "../outbound/dependencies.ts";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";

/** Sends what bots say, by the one way out of this process. */
export function outboundOf(deps: ChannelDependencies): Outbound {
  const { clock, channelMetrics } = deps;
  return createOutbound({
    ...outboundDependencies(deps),
    clock,
    onAttempt: ({ channel }, { kind, verdict }) =>
      channelMetrics.attempted(channel.type, { outcome: kind, isInDoubt: verdict.kind === "doubt" }),
  });
}
