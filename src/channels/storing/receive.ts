import type { ChannelEvent, WebhookVerdict } from "../../core/channels/channel.ts";
import { unreadable } from "../../core/channels/unreadable.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { parseUntrustedJson } from "../../core/interpreter/language/untrusted-json.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { hasNone } from "../../management/channels/connection-data.ts";
import { createOpenConnections, type OpenConnection } from "../../management/channels/open-connections.ts";
import { createOptOuts } from "../../management/channels/opt-outs.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { within } from "../../platform/concurrency/within.ts";
import type { OutageWatch } from "../../platform/database/outages/outage-watch.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { readBytes } from "../../platform/http/body.ts";
import type { Log } from "../../platform/observing/log.ts";
import type { Admission } from "../../platform/rate-limits/rate-limits.ts";
import type { Secrets } from "../../platform/secrets.ts";
import type { ChannelMetrics } from "../metrics.ts";
import { createInboundStore, type InboundStore } from "./inbound-store.ts";
import { noteRefusals } from "./inbox.sql.ts";
import { keepOptOuts } from "./opt-outs.ts";
import { type InboxEvent, rowsOf, type StatusEvent } from "./stored-events.ts";

/** Receives the webhook calls of messengers. */
export type Receiver = {
  /**
   * Verifies a call, and stores all its events in one statement. Returns the response to a provider's challenge, and
   * undefined for other calls. Throws `channel_connection.not_signed` before it parses the content. Throws
   * `server.unavailable` if the database does not store the call in time. The provider then sends the call again.
   */
  receive(connectionId: string, request: Request, admission: Admission): Promise<Response | undefined>;
};

const notedMs = 10_000;
/** The header with the number of seconds after which a provider should send an unstored call again. */
const comeAgain = { "Retry-After": "5" };

type Parts = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly outage: OutageWatch;
  readonly secrets: Secrets;
  readonly channelMetrics: ChannelMetrics;
  onInbound(connectionId: string): void;
};

export function createReceiver(deps: Parts): Receiver {
  const { sql, clock, log } = deps;
  const known = createOpenConnections(deps);
  const inbound = createInboundStore(deps);
  const optOuts = createOptOuts(sql);
  /**
   * The number of refused calls per connection that are not yet stored. They are stored together, so that a refused
   * call costs only the check of its signature.
   */
  const refused = new Map<string, number>();

  const find = async (id: string): Promise<OpenConnection> => {
    let connection = await known.find(id);
    if (connection && !connection.isEnabled) {
      // The connection may have been enabled since it was read, and its message would otherwise be lost.
      known.forget(id);
      connection = await known.find(id);
    }
    if (!connection) throw new AppError("channel_connection.not_found");
    return connection;
  };
  const refuse = ({ id, channel }: OpenConnection): AppError => {
    deps.channelMetrics.count(channel.type, "call", "refused");
    const count = refused.get(id);
    refused.set(id, (count ?? 0) + 1);
    if (count === undefined) {
      log.warn("A call from a messenger has no valid signature", { connection: id, channel: channel.type });
      clock.startTimer(notedMs, () => {
        const all = refused.get(id) ?? 1;
        refused.delete(id);
        noteRefusals(sql, id, { count: all, why: "not_signed" }).catch(deps.outage.failed);
      });
    }
    return new AppError("channel_connection.not_signed");
  };
  return {
    async receive(connectionId, request, admission) {
      const startedAt = clock.now();
      const connection = await orUnavailable(find(connectionId));
      const admitted = admission.admit("hooks", { connection: connectionId });
      if (admitted) await admitted;
      const body = await readBytes(request, { maxBytes: limits.channels.webhookBytes, clock });
      const verdict = verify(connection, request, body);
      if (verdict.kind === "refused") throw refuse(connection);
      if (verdict.kind === "challenge") return new Response(verdict.body, { status: verdict.status });
      const events = eventsIn(connection, body);
      if (events.length > limits.channels.updatesPerCall) throw new AppError("request.too_large");
      await store({ inbound, channelMetrics: deps.channelMetrics }, connection, { events, bytes: body.byteLength });
      if (!connection.isEnabled) await orUnavailable(keepOptOuts({ sql, optOuts }, connection, events));
      deps.onInbound(connectionId);
      deps.channelMetrics.answered((clock.now() - startedAt) / 1_000);
      return undefined;
    },
  };
}

/** Verifies a call with the current secrets, and for a day after a rotation also with the previous secrets. */
function verify(
  { channel, secrets, previousSecrets: previous }: OpenConnection,
  request: Request,
  body: Uint8Array,
): WebhookVerdict {
  const call = {
    ...{ method: request.method, headers: request.headers, body, now: Date.now() },
    query: new URL(request.url).searchParams,
  };
  const judge = (given: JsonObject): WebhookVerdict =>
    hasNone(given) ? { kind: "refused" } : channel.verify(call, given);
  const verdict = judge(secrets);
  return verdict.kind === "refused" && previous ? judge(previous) : verdict;
}

const utf8 = new TextDecoder();

/**
 * Returns all events of a call. An invalid call with a valid signature is stored as an event too, because retrying it
 * for days would not help.
 */
function eventsIn({ channel, externalId, display }: OpenConnection, body: Uint8Array): readonly ChannelEvent[] {
  const text = utf8.decode(body);
  const parsed = channel.payloadIn ? channel.payloadIn(text) : parseUntrustedJson(text);
  return parsed
    ? channel.read(parsed.value, { externalId, display })
    : [unreadable(text, channel.payloadIn ? "The event does not have the expected format." : "The body is not JSON.")];
}

async function store(
  { inbound, channelMetrics }: Pick<Parts, "channelMetrics"> & { readonly inbound: InboundStore },
  connection: OpenConnection,
  { events, bytes }: { readonly events: readonly ChannelEvent[]; readonly bytes: number },
): Promise<void> {
  const { id: connectionId, channel, settings, isEnabled } = connection;
  const statuses = events.filter((event): event is StatusEvent => event.kind === "status");
  const rows = rowsOf(
    events.filter((event): event is InboxEvent => event.kind !== "status"),
    {
      ...{ connectionId, isEnabled, isNumbered: channel.isNumbered === true },
      takesGroups: settings["groups"] === true,
    },
  );
  if (rows.length === 0 && statuses.length === 0) return;
  const storing = inbound.store(connectionId, { rows, statuses }, bytes);
  storing.catch(() => {});
  const late = () => {
    throw new AppError("server.unavailable", { headers: comeAgain });
  };
  const stored = await orUnavailable(within(limits.channels.webhookMs, storing, late));
  const isNew = new Set(stored);
  for (const { id, kind, state, reason } of rows) {
    if (!isNew.has(id)) channelMetrics.count(channel.type, kind, "duplicate");
    else if (state === "dropped") channelMetrics.count(channel.type, kind, `dropped:${reason}`);
  }
}

/** Throws `server.unavailable` if the database is unreachable. The provider then sends the call again. */
async function orUnavailable<Value>(doing: Promise<Value>): Promise<Value> {
  try {
    return await doing;
  } catch (error) {
    if (isOutage(error)) throw new AppError("server.unavailable", { cause: error, headers: comeAgain });
    throw error;
  }
}
