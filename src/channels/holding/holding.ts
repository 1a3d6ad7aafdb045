import { limits } from "../../limits/index.ts";
import { type OpenConnection, openConnection } from "../../management/channels/open-connections.ts";
import { createOptOuts } from "../../management/channels/opt-outs.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { createFairShare } from "../../platform/concurrency/fair-share.ts";
import { createLeases } from "../../platform/concurrency/leases.ts";
import { startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { newId } from "../../platform/ids.ts";
import type { ChannelDependencies } from "../dependencies.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { createBotChooser } from "../turns/bots.ts";
import { createTurnStore } from "../turns/turn-store.ts";
import {
  type HeldId,
  listWork,
  releaseConnections,
  renewConnections,
  takeConnections,
} from "./connection-leases.sql.ts";
import { type ConnectionWorker, startWorker } from "./connection-worker.ts";

/** The messenger connections that a serving process holds. Makes no queries until it is woken or holds a connection. */
export type Holding = {
  /** Called when connections that no process holds may have work. */
  wake(): void;
  /** Called when this process has stored an event of a connection. */
  ring(connectionId: string): void;
  /** Called when another process of the node has stored an event of a connection. */
  rung(connectionId: string): void;
  /** Called when this process has saved steps of these contacts, including steps that answered no message. */
  stepped(contactIds: readonly string[]): void;
  /** Starts no more work, waits a limited time for running work, and releases every connection. */
  stop(): Promise<void>;
};

export type HoldingOptions = {
  readonly outbound: Outbound;
  /**
   * The database connections for renewals, which must not wait behind other queries. Defaults to the shared
   * connections.
   */
  readonly leaseSql?: Sql;
  /** Notifies the other processes of the node. Absent if the node has only one process. */
  readonly ringOthers?: (connectionId: string) => void;
};

/** How often the database is polled while the connections are idle. Connections with traffic are polled more often. */
const idlePollMs = 1_500;
const maxPauseMs = 4_000;
/** How long a connection is skipped after it could not be opened, for example because no key decrypts it. */
const unopenedMs = 30_000;
/** The minimum time between two searches for free connections that are triggered by messages of the same connection. */
const ringMs = 1_000;
const mostRung = 1_000;
/** How many messages of a workspace may wait for their turn in this process. Practically unlimited. */
const waiting = 1_000_000;

/**
 * Creates a fair share of slots. A single workspace uses at most two thirds of the slots, so that others are not
 * blocked.
 */
function placesOf(total: number, clock: Clock) {
  const shares = { workspace: 2 / 3 };
  return createFairShare({
    ...{ total, shares, clock, maxWaiting: waiting },
    maxWaitMs: limits.channels.triedSeconds * 1_000,
  });
}

/**
 * Holds messenger connections together with the other processes. Each connection has one process, which answers and
 * sends its messages. When woken, a process takes free connections, up to its share. It releases connections that are
 * idle, disabled or changed, and releases all of them when it stops.
 */
export function startHolding(deps: ChannelDependencies, options: HoldingOptions): Holding {
  const { sql, clock, log, outage } = deps;
  const { outbound, leaseSql = sql, ringOthers = () => {} } = options;
  const holder = newId();
  const workers = new Map<string, ConnectionWorker>();
  /** The time of each connection's last change, as of the last read. */
  const versions = new Map<string, number>();
  /**
   * `opening`: the connections that are being read. `closedUntil`: the time until which a connection that could not be
   * read is skipped, by the clock of this process.
   */
  const opening = new Set<string>();
  const closedUntil = new Map<string, number>();
  /** When a message for a connection last made this process search for free connections. */
  const rungAt = new Map<string, number>();
  const stopped = Promise.withResolvers<void>();
  const leases = createLeases<HeldId>({
    leaseMs: limits.events.leaseSeconds * 1_000,
    nameOf: ({ id }) => id,
    onLeft: () => loop.wake(),
    clock,
  });
  const parts = {
    ...{ deps, outbound, holder },
    bots: createBotChooser(sql),
    store: createTurnStore({ sql, clock }),
    optOuts: createOptOuts(sql),
    room: { waiting: 0 },
    places: placesOf(limits.channels.turnsAtOnce, clock),
    filePlaces: placesOf(limits.channels.mediaAtOnce, clock),
  };
  let isStopping = false;
  let mayTake = false;
  let renewAt = 0;

  /** Ends a worker whose lease is lost or about to be released. */
  const end = (id: string, worker: ConnectionWorker): void => {
    workers.delete(id);
    versions.delete(id);
    void worker.stop().finally(() => ends.get(worker)?.());
    const finished: Promise<void> = worker.finished().finally(() => unfinished.delete(finished));
    unfinished.add(finished);
  };
  /** Steps of released connections that are still running. */
  const unfinished = new Set<Promise<void>>();
  const ends = new WeakMap<ConnectionWorker, () => void>();
  const signals = new WeakMap<ConnectionWorker, AbortSignal>();
  const endLeft = (): void => {
    // Whether the worker's lease was lost. Such a worker has ended, even if this process holds the connection again.
    const isOver = (id: string, worker: ConnectionWorker) =>
      !leases.isUsable({ id }) || signals.get(worker)?.aborted === true;
    for (const [id, worker] of workers) if (isOver(id, worker)) end(id, worker);
  };
  const leaveIdle = (): void => {
    const isIdle = ({ id }: HeldId): boolean => {
      const worker = workers.get(id);
      return worker !== undefined && !worker.isPolling && clock.now() - worker.busyAt() >= limits.channels.idleMs;
    };
    leases.leave(isIdle);
    endLeft();
  };
  const release = async (): Promise<void> => {
    const left = leases.toRelease().filter(({ id }) => !workers.has(id));
    if (left.length === 0) return;
    await releaseConnections(
      leaseSql,
      holder,
      left.map(({ id }) => id),
    );
    // The next poll finds messages that the connection received in the meantime.
    leases.released(left);
  };
  const renew = async (): Promise<void> => {
    const askedAt = clock.now();
    const own = await renewConnections(leaseSql, holder);
    const isChanged = (id: string, at: Date): boolean => (versions.get(id) ?? at.getTime()) !== at.getTime();
    leases.renewed(
      own.map(({ id, isWanted, updatedAt }) => ({ id, isWanted: isWanted || isChanged(id, updatedAt) })),
      askedAt,
    );
    renewAt = askedAt + limits.events.renewMs;
    endLeft();
    // Whether a held connection has no worker. A lease can expire in this process before its renewal is confirmed. The
    // connection is then held again, but its worker has ended.
    const hasNoWorker = ({ id }: HeldId): boolean => !workers.has(id) && leases.isUsable({ id });
    if (!isStopping) for (const one of own.filter(hasNoWorker)) void begin(one);
  };
  /** Searches for free connections again, although another process may take this connection first. */
  const onLost = (): void => {
    log.warn("The lease of a connection to a messenger was lost");
    if (!isStopping) wake();
  };
  const open = async (id: string): Promise<OpenConnection | undefined> => {
    try {
      const connection = await openConnection(deps, id);
      if (connection) return connection;
      log.error("A connection to a messenger cannot be opened", { connection: id });
    } catch (error) {
      if (isOutage(error)) {
        outage.failed(error);
        return undefined;
      }
      log.error("A connection to a messenger cannot be opened", { error, connection: id });
    }
    closedUntil.set(id, clock.now() + unopenedMs);
    return undefined;
  };
  const begin = async ({ id }: HeldId): Promise<void> => {
    const use = opening.has(id) || workers.has(id) ? undefined : leases.use({ id });
    if (!use) return;
    opening.add(id);
    use.signal.addEventListener("abort", onLost, { once: true });
    const connection = await open(id);
    opening.delete(id);
    if (!connection) leases.leave((one) => one.id === id);
    // In the meantime, the lease may have been lost or become due for release.
    if (!connection || use.signal.aborted || !leases.isUsable({ id })) {
      use.done();
      return;
    }
    const worker = startWorker(parts, { connection, use, mayAct: () => leases.isUsable({ id }) });
    ends.set(worker, use.done);
    signals.set(worker, use.signal);
    workers.set(id, worker);
    versions.set(id, connection.updatedAt.getTime());
  };
  /** Lists the connections that recently could not be opened, and leaves them to other processes. */
  const unopened = (): string[] => {
    for (const [id, until] of closedUntil) if (until <= clock.now()) closedUntil.delete(id);
    return [...closedUntil.keys()];
  };
  const take = async (): Promise<void> => {
    mayTake = false;
    const askedAt = clock.now();
    const taken = await takeConnections(leaseSql, { holder, except: unopened() });
    leases.granted(taken, askedAt);
    // If the database's clock has jumped forward, this process may take connections that it already holds. Their
    // workers continue.
    endLeft();
    for (const one of taken) void begin(one);
    // The immediate renewal reports whether the connections have changed since they were read.
    if (taken.length > 0) renewAt = 0;
  };
  let isLooking = false;
  let mayHaveMore = false;
  /** Looks for work without blocking renewals. */
  const look = async (): Promise<void> => {
    if (workers.size === 0) return;
    mayHaveMore = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (mayHaveMore && !isStopping) {
        mayHaveMore = false;
        for (const { id, hasInbox, hasOutbox, hasExpiries } of await listWork(sql, [...workers.keys()])) {
          if (hasInbox) workers.get(id)?.wakeInbound();
          if (hasOutbox) workers.get(id)?.wakeOutbound();
          if (hasExpiries) workers.get(id)?.wakeExpiries();
        }
      }
    } catch (error) {
      onFailure(error);
    } finally {
      isLooking = false;
    }
  };
  const onFailure = (error: unknown): void => {
    if (isOutage(error)) outage.failed(error);
    else log.error("The leases of connections to messengers could not be renewed", { error });
  };
  const hasTraffic = (): boolean =>
    [...workers.values()].some((worker) => clock.now() - worker.busyAt() < limits.channels.idleMs);
  const loop = startPollLoop({
    everyMs: () => {
      if (leases.count() === 0) return Number.POSITIVE_INFINITY;
      return hasTraffic() ? limits.channels.pollMs : idlePollMs;
    },
    maxPauseMs,
    startsWaiting: true,
    clock,
    onFailure(error) {
      onFailure(error);
      if (leases.count() === 0 && isStopping) stopped.resolve();
    },
    async run() {
      if (isStopping) leases.leave();
      leaveIdle();
      await release();
      if (leases.count() > 0 && clock.now() >= renewAt) await renew();
      if (isStopping) {
        if (leases.count() === 0) stopped.resolve();
        return;
      }
      if (mayTake) await take();
      void look();
    },
  });
  const wake = (): void => {
    if (!deps.config.CHANNELS) return;
    mayTake = true;
    loop.wake();
  };
  const rung = (connectionId: string): boolean => {
    const worker = workers.get(connectionId);
    worker?.wakeInbound();
    return worker !== undefined;
  };
  return {
    wake,
    ring(connectionId) {
      if (rung(connectionId)) return;
      ringOthers(connectionId);
      const now = clock.now();
      // The next poll finds connections that have become free since the last search.
      if (now - (rungAt.get(connectionId) ?? Number.NEGATIVE_INFINITY) < ringMs) return;
      if (rungAt.size >= mostRung) rungAt.clear();
      rungAt.set(connectionId, now);
      wake();
    },
    rung: (connectionId) => void rung(connectionId),
    stepped(contactIds) {
      const isOwn = (contactId: string): boolean =>
        [...workers.values()].some((worker) => worker.isAnswering(contactId));
      if (deps.config.CHANNELS && !contactIds.every(isOwn)) wake();
    },
    async stop() {
      isStopping = true;
      leases.leave();
      endLeft();
      loop.wake();
      const late = Promise.withResolvers<void>();
      const stopTimer = clock.startTimer(limits.process.drainMs, late.resolve);
      await Promise.race([stopped.promise.then(() => Promise.all(unfinished)), late.promise]);
      stopTimer();
      await loop.stop();
    },
  };
}
