import type { ChannelDependencies } from "../dependencies.ts";
import { outboundDependencies } from "../outbound/dependencies.ts";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";

/** Sends the messages of bots, through this process' only sender. */
export function outboundOf(deps: ChannelDependencies): Outbound {
  const { clock, channelMetrics } = deps;
  return createOutbound({
    ...outboundDependencies(deps),
    clock,
    onAttempt: ({ channel }, { kind, verdict }) =>
      channelMetrics.attempted(channel.type, { outcome: kind, isInDoubt: verdict.kind === "doubt" }),
  });
}
