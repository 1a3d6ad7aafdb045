import { appendLogs } from "../../chat/saves/logs.sql.ts";
import { callProvider } from "../../effects/channels/call.ts";
import type { ChannelDependencies } from "../dependencies.ts";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";

/** Sends what bots say, by the one way out of this process. */
export function outboundOf(deps: ChannelDependencies): Outbound {
  const { sql, log, clock, safeFetch, config, channelMetrics } = deps;
  return createOutbound({
    ...{ sql, log, clock },
    wallClock: Date.now,
    random: Math.random,
    call: ({ channel, workspaceId }, call, options) =>
      callProvider({ safeFetch, servers: config }, channel, call, { ...options, workspaceId }),
    addLogs: (entry) => appendLogs(sql, entry),
    onAttempt: ({ channel }, { kind, verdict }) =>
      channelMetrics.attempted(channel.type, { outcome: kind, isInDoubt: verdict.kind === "doubt" }),
  });
}
