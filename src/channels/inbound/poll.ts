import { callProvider } from "../../effects/channels/call.ts";
import type { OpenConnection } from "../../management/channels/open-connections.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import type { ChannelDependencies } from "../dependencies.ts";
import type { HeldConnection } from "../held-connection.ts";
import { findLastUpdate, storePolled } from "../storing/inbox.sql.ts";
import { type InboxEvent, rowsOf } from "../storing/stored-events.ts";

/** The timeout of a request. It is longer than a provider holds a request open while it waits for updates. */
const pollMs = 40_000;
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

/**
 * Polls a provider for updates, one request at a time. A request acknowledges the updates of the previous request, so
 * it is sent after these updates are stored.
 */
export function startPolling({
  deps,
  connection,
  held,
  holder,
  onStored,
}: {
  readonly deps: ChannelDependencies;
  readonly connection: OpenConnection;
  readonly held: HeldConnection;
  readonly holder: string;
  onStored(): void;
}): { stop(): Promise<void> } {
  const { sql, clock, log, outage } = deps;
  const { channel, id: connectionId, workspaceId, externalId, display, settings, secrets } = connection;
  const { poll } = channel;
  if (!poll) return { stop: async () => {} };
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, held.lost]);
  const place = {
    connectionId,
    isEnabled: true,
    isNumbered: channel.isNumbered === true,
    takesGroups: settings["groups"] === true,
  };

  /**
   * Requests updates once and stores them. Returns undefined if the provider did not return updates, or if the
   * connection is no longer held.
   */
  const ask = async (after: number | undefined): Promise<{ readonly last: number | undefined } | undefined> => {
    const outcome = await callProvider(
      { safeFetch: deps.pollFetch, servers: deps.config },
      channel,
      poll.call(after, { settings, secrets }),
      { workspaceId, timeoutMs: pollMs, signal },
    );
    const updates = outcome.kind === "answer" ? poll.updatesIn(outcome.answer) : undefined;
    if (updates === undefined) return undefined;
    if (updates.length === 0) return { last: after };
    const events = updates.flatMap(({ payload }) => channel.read(payload, { externalId, display }));
    const rows = rowsOf(events.filter(isInbox), place);
    const lastUpdateId = Math.max(...updates.map(({ id }) => id));
    if (!(await storePolled(sql, connectionId, { rows, holder, lastUpdateId }))) return undefined;
    onStored();
    return { last: lastUpdateId };
  };
  const run = async (): Promise<void> => {
    let after: number | undefined;
    let isKnown = false;
    let failures = 0;
    while (!signal.aborted && held.mayAct()) {
      try {
        if (!isKnown) after = await findLastUpdate(sql, connectionId);
        isKnown = true;
        const askedAt = clock.now();
        const asked = await ask(after);
        if (signal.aborted) return;
        if (asked) {
          const isNews = asked.last !== after;
          after = asked.last;
          isKnown = isNews;
          failures = 0;
          // A server without updates holds the request open. The pause prevents continuous requests to a server that
          // answers immediately.
          if (isNews || clock.now() - askedAt >= firstPauseMs) continue;
          await pauseUntil(signal, clock, firstPauseMs);
          continue;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isOutage(error)) outage.failed(error);
        else log.error("A messenger could not be polled", { error, connection: connectionId });
      }
      await pauseUntil(signal, clock, Math.min(maxPauseMs, firstPauseMs * 2 ** failures++));
    }
  };
  const ended = run();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

function isInbox(event: { readonly kind: string }): event is InboxEvent {
  return event.kind !== "status";
}

/** Waits until the time has passed or the signal is aborted. Then removes its listener from the signal. */
async function pauseUntil(signal: AbortSignal, clock: Clock, ms: number): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const stopTimer = clock.startTimer(ms, end);
  signal.addEventListener("abort", end, { once: true });
  await promise;
  stopTimer();
  signal.removeEventListener("abort", end);
}
