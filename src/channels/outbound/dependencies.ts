import { appendLogs } from "../../chat/saves/logs.sql.ts";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import type { ProviderCall, SendVerdict } from "../../core/channels/channel.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import { type CallOutcome, callProvider } from "../../effects/channels/call.ts";
import type { SizedBody } from "../../effects/safe-fetch/safe-fetch-exchange.ts";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { Log } from "../../platform/observing/log.ts";
import type { HeldConnection } from "../held-connection.ts";
import type { Marks } from "./marks.sql.ts";
import { createMediaSource, type MediaSource } from "./media-source.ts";
import type { ShownFlows } from "./shown-flows.ts";
import type { Next } from "./verdicts.ts";

export type OutboundDependencies = {
  readonly sql: Sql;
  readonly log: Log;
  /** The clock that paces the sending. */
  readonly clock: Clock;
  /** Returns milliseconds since the epoch, for signatures. */
  wallClock(): number;
  /** Returns a number from 0 to 1. */
  random(): number;
  /** Sends a call to the connection's provider. */
  call(
    held: HeldConnection,
    call: ProviderCall,
    options: { readonly timeoutMs: number; readonly upload?: SizedBody; readonly signal: AbortSignal },
  ): Promise<CallOutcome>;
  /** Opens the files of messages. */
  readonly media: MediaSource;
  addLogs(entries: {
    readonly resultId: string;
    readonly botId: string;
    readonly logs: readonly StepLog[];
  }): Promise<void>;
  /** Counts attempts to send a message. */
  onAttempt?(held: HeldConnection, attempt: { readonly kind: Next["kind"]; readonly verdict: SendVerdict }): void;
};

/** The dependencies, and the statements and flows that all connections of a process share. */
export type OutboundTools = OutboundDependencies & { readonly marks: Marks; readonly shownFlows: ShownFlows };

/** Creates the dependencies for sending in a serving process. */
export function outboundDependencies(
  deps: Pick<ChatDependencies, "sql" | "log" | "safeFetch" | "safeStream" | "storage" | "ports" | "config">,
): OutboundDependencies {
  const { sql, log, safeFetch, config } = deps;
  return {
    ...{ sql, log, clock: backgroundClock, wallClock: Date.now, random: Math.random },
    call: ({ channel, workspaceId }, call, options) =>
      callProvider({ safeFetch, servers: config }, channel, call, { workspaceId, ...options }),
    media: createMediaSource(deps, Date.now),
    addLogs: (entries) => appendLogs(sql, entries),
  };
}
