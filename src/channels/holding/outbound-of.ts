import type { ChannelDependencies } from "../dependencies.ts";
import { outboundDependencies } from "../outbound/dependencies.ts";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";

/** Creates the sender of the bots' messages. A process has only one sender. */
export function outboundOf(deps: ChannelDependencies): Outbound {
  const { clock, channelMetrics } = deps;
  return createOutbound({
    ...outboundDependencies(deps),
    clock,
    onAttempt: ({ channel }, { kind, verdict }) =>
      channelMetrics.attempted(channel.type, { outcome: kind, isInDoubt: verdict.kind === "doubt" }),
  });
}
