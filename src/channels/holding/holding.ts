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

/** The connections to messengers that a serving process holds. It asks nothing until it is woken, or holds some. */
export type Holding = {
  /** Connections that nobody holds may have something to do. */
  wake(): void;
  /** This process has stored something for a connection. */
  ring(connectionId: string): void;
  /** Another process of the node has. */
  rung(connectionId: string): void;
  /** Steps of these contacts were saved in this process, also where no message was answered. */
  stepped(contactIds: readonly string[]): void;
  /** Begins nothing more, waits for what is under way within a bound, and gives every connection back. */
  stop(): Promise<void>;
};

export type HoldingOptions = {
  readonly outbound: Outbound;
  /** For renewals, which must not wait behind all that connections ask. Absent: the common ones. */
  readonly leaseSql?: Sql;
  /** Tells the other processes of the node. Absent: there are none. */
  readonly ringOthers?: (connectionId: string) => void;
};

/** How often it looks while its connections are idle, and while they have traffic. */
const idlePollMs = 1_500;
const maxPauseMs = 4_000;
/** How soon a connection is tried again that no key decrypts, or whose channel this release does not know. */
const unopenedMs = 30_000;
/** A message for a connection of another process is no reason to look for free ones each time. */
const ringMs = 1_000;
const mostRung = 1_000;
/** The most of a workspace's messages that may wait in this process for their turn: all of them, for long. */
const waiting = 1_000_000;

/** One workspace alone leaves a third of the places to others. */
function placesOf(total: number, clock: Clock) {
  const shares = { workspace: 2 / 3 };
  return createFairShare({
    ...{ total, shares, clock, maxWaiting: waiting },
    maxWaitMs: limits.channels.triedSeconds * 1_000,
  });
}

/**
 * Holds connections together with the other processes: one process a connection, which takes in and sends for it. It
 * takes free ones when it is woken, up to its share, and leaves them when they have been idle for a while, are disabled
 * or changed, or when it stops.
 */
export function startHolding(deps: ChannelDependencies, options: HoldingOptions): Holding {
  const { sql, clock, log, outage } = deps;
  const { outbound, leaseSql = sql, ringOthers = () => {} } = options;
  const holder = newId();
  const workers = new Map<string, ConnectionWorker>();
  /** When each had been changed last as it was read. */
  const versions = new Map<string, number>();
  /** Connections that are being read, and those that could not be, until which time of the clock. */
  const opening = new Set<string>();
  const closedUntil = new Map<string, number>();
  /** Connections for which this process has looked for free ones, as something came for them. */
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

  /** A worker whose lease is left or lost ends, and then its lease. */
  const end = (id: string, worker: ConnectionWorker): void => {
    workers.delete(id);
    versions.delete(id);
    void worker.stop().finally(() => ends.get(worker)?.());
    const finished: Promise<void> = worker.finished().finally(() => unfinished.delete(finished));
    unfinished.add(finished);
  };
  /** Steps of connections that were left. */
  const unfinished = new Set<Promise<void>>();
  const ends = new WeakMap<ConnectionWorker, () => void>();
  const signals = new WeakMap<ConnectionWorker, AbortSignal>();
  const endLeft = (): void => {
    // One whose lease was lost is over, though this process may hold the connection again by now.
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
    // The due poll finds what came for one of them in between.
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
    // One whose time was over here before its renewal was answered is held again, and its worker has ended.
    const hasNoWorker = ({ id }: HeldId): boolean => !workers.has(id) && leases.isUsable({ id });
    if (!isStopping) for (const one of own.filter(hasNoWorker)) void begin(one);
  };
  /** Another process may take it first. */
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
    // It may be lost, or to be left, by now.
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
  /** Connections that could not be opened a moment ago are left to other processes. */
  const unopened = (): string[] => {
    for (const [id, until] of closedUntil) if (until <= clock.now()) closedUntil.delete(id);
    return [...closedUntil.keys()];
  };
  const take = async (): Promise<void> => {
    mayTake = false;
    const askedAt = clock.now();
    const taken = await takeConnections(leaseSql, { holder, except: unopened() });
    leases.granted(taken, askedAt);
    // The clock of the database may have stepped forward: it takes its own ones then, which go on.
    endLeft();
    for (const one of taken) void begin(one);
    // It learns whether they have changed since they were read.
    if (taken.length > 0) renewAt = 0;
  };
  let isLooking = false;
  let mayHaveMore = false;
  /** Renewals do not wait for what it asks. */
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
      // The due poll finds one that has become free since.
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
