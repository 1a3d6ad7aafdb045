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
import {
  type HeldId,
  listWork,
  releaseConnections,
  renewConnections,
  takeConnections,
} from "./connection-leases.sql.ts";
import { type ConnectionWorker, startWorker } from "./connection-worker.ts";

/**
 * The connections to messengers that a serving process holds. Makes no queries until it is woken or holds connections.
 */
export type Holding = {
  /** Connections that no process holds may have work. */
  wake(): void;
  /** This process has stored something for a connection. */
  ring(connectionId: string): void;
  /** Another process of the node has stored something for a connection. */
  rung(connectionId: string): void;
  /** This process saved steps of these contacts, including steps that answered no message. */
  stepped(contactIds: readonly string[]): void;
  /** Begins no more work, waits for running work within a bound, and releases every connection. */
  stop(): Promise<void>;
};

export type HoldingOptions = {
  readonly outbound: Outbound;
  /** The database connections for renewals, which must not wait behind other queries. Absent: the common ones. */
  readonly leaseSql?: Sql;
  /** Notifies the other processes of the node. Absent: there are none. */
  readonly ringOthers?: (connectionId: string) => void;
};

/** How often the database is polled while the connections are idle, and while they have traffic. */
const idlePollMs = 1_500;
const maxPauseMs = 4_000;
/** How soon a connection is tried again that no key decrypts, or whose channel this release does not support. */
const unopenedMs = 30_000;
/** A message for a connection of another process does not trigger a search for free connections each time. */
const ringMs = 1_000;
const mostRung = 1_000;
/** The most messages of a workspace that may wait in this process for their turn: in practice all of them. */
const waiting = 1_000_000;

/** A single workspace leaves a third of the places to others. */
function placesOf(total: number, clock: Clock) {
  const shares = { workspace: 2 / 3 };
  return createFairShare({
    ...{ total, shares, clock, maxWaiting: waiting },
    maxWaitMs: limits.channels.triedSeconds * 1_000,
  });
}

/**
 * Holds connections together with the other processes: each connection has one process, which receives and sends for
 * it. A process takes free connections when it is woken, up to its share. It releases those that are idle for some
 * time, disabled or changed, and all of them when it stops.
 */
export function startHolding(deps: ChannelDependencies, options: HoldingOptions): Holding {
  const { sql, clock, log, outage } = deps;
  const { outbound, leaseSql = sql, ringOthers = () => {} } = options;
  const holder = newId();
  const workers = new Map<string, ConnectionWorker>();
  /** The time of each connection's last change when it was read. */
  const versions = new Map<string, number>();
  /** Connections that are being read, and the time of the clock until which unreadable ones are skipped. */
  const opening = new Set<string>();
  const closedUntil = new Map<string, number>();
  /** Connections that received something, after which this process has searched for free ones. */
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
    optOuts: createOptOuts(sql),
    room: { waiting: 0 },
    places: placesOf(limits.channels.turnsAtOnce, clock),
    filePlaces: placesOf(limits.channels.mediaAtOnce, clock),
  };
  let isStopping = false;
  let mayTake = false;
  let renewAt = 0;

  /** When a lease is released or lost, its worker ends first, and then the lease. */
  const end = (id: string, worker: ConnectionWorker): void => {
    workers.delete(id);
    versions.delete(id);
    void worker.stop().finally(() => ends.get(worker)?.());
    const finished: Promise<void> = worker.finished().finally(() => unfinished.delete(finished));
    unfinished.add(finished);
  };
  /** Steps of released connections. */
  const unfinished = new Set<Promise<void>>();
  const ends = new WeakMap<ConnectionWorker, () => void>();
  const signals = new WeakMap<ConnectionWorker, AbortSignal>();
  const endLeft = (): void => {
    // A worker whose lease was lost has ended, though this process may hold the connection again.
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
    // The due poll finds messages that a connection received in between.
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
    // A connection whose lease expired here before the answer to its renewal is held again, but its worker has ended.
    const hasNoWorker = ({ id }: HeldId): boolean => !workers.has(id) && leases.isUsable({ id });
    if (!isStopping) for (const one of own.filter(hasNoWorker)) void begin(one);
  };
  /** Another process may take the connection first. */
  const onLost = (): void => {
    log.warn("The lease of a connection of a messenger was lost");
    if (!isStopping) wake();
  };
  const open = async (id: string): Promise<OpenConnection | undefined> => {
    try {
      const connection = await openConnection(deps, id);
      if (connection) return connection;
      log.error("A connection of a messenger cannot be opened", { connection: id });
    } catch (error) {
      if (isOutage(error)) {
        outage.failed(error);
        return undefined;
      }
      log.error("A connection of a messenger cannot be opened", { error, connection: id });
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
    // The connection may have been lost, or be due for release, in the meantime.
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
  /** Connections that could not be opened recently are left to other processes. */
  const unopened = (): string[] => {
    for (const [id, until] of closedUntil) if (until <= clock.now()) closedUntil.delete(id);
    return [...closedUntil.keys()];
  };
  const take = async (): Promise<void> => {
    mayTake = false;
    const askedAt = clock.now();
    const taken = await takeConnections(leaseSql, { holder, except: unopened() });
    leases.granted(taken, askedAt);
    // The clock of the database may have stepped forward: the process then takes its own connections, which continue.
    endLeft();
    for (const one of taken) void begin(one);
    // The renewal returns whether the connections have changed since they were read.
    if (taken.length > 0) renewAt = 0;
  };
  let isLooking = false;
  let mayHaveMore = false;
  /** Renewals do not wait for the queries of connections. */
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
    else log.error("Connections to messengers could not be held", { error });
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
      // The due poll finds a connection that has become free since.
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
