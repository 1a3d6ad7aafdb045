import { limits } from "../../limits/index.ts";
import { openConnection } from "../../management/channels/open-connections.ts";
import { createOptOuts } from "../../management/channels/opt-outs.ts";
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
/** The most of a workspace's messages that may wait in this process for their turn: all of them, for long. */
const waiting = 1_000_000;

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
  /** When each was changed last, as far as this process knows. */
  const versions = new Map<string, number>();
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
    // One workspace alone leaves a third of the places to others.
    places: createFairShare({
      total: limits.channels.turnsAtOnce,
      shares: { workspace: 2 / 3 },
      maxWaiting: waiting,
      maxWaitMs: limits.channels.triedSeconds * 1_000,
      clock,
    }),
  };
  let isStopping = false;
  let mayTake = false;
  let renewAt = 0;

  /** A worker whose lease is left or lost ends, and then its lease. */
  const end = (id: string, worker: ConnectionWorker): void => {
    workers.delete(id);
    versions.delete(id);
    void worker.stop().finally(() => ends.get(worker)?.());
  };
  const ends = new WeakMap<ConnectionWorker, () => void>();
  const endLeft = (): void => {
    for (const [id, worker] of workers) if (!leases.isUsable({ id })) end(id, worker);
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
      sql,
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
    for (const { id, updatedAt } of own) if (!versions.has(id)) versions.set(id, updatedAt.getTime());
    renewAt = askedAt + limits.events.renewMs;
    endLeft();
  };
  /** Another process may take it first. */
  const onLost = (): void => {
    log.warn("The lease of a connection of a messenger was lost");
    if (!isStopping) wake();
  };
  const begin = async ({ id }: HeldId): Promise<void> => {
    const use = leases.use({ id });
    if (!use) return;
    use.signal.addEventListener("abort", onLost, { once: true });
    const connection = await openConnection(deps, id).catch((error: unknown) => {
      if (isOutage(error)) outage.failed(error);
      else log.error("A connection of a messenger cannot be opened", { error, connection: id });
      return undefined;
    });
    if (!connection) {
      leases.leave((one) => one.id === id);
      use.done();
      return;
    }
    const worker = startWorker(parts, { connection, use, mayAct: () => leases.isUsable({ id }) });
    ends.set(worker, use.done);
    workers.set(id, worker);
  };
  const take = async (): Promise<void> => {
    mayTake = false;
    const askedAt = clock.now();
    const taken = await takeConnections(sql, holder);
    leases.granted(taken, askedAt);
    await Promise.all(taken.map(begin));
    // It learns when they were changed last.
    if (taken.length > 0) renewAt = 0;
  };
  const look = async (): Promise<void> => {
    if (workers.size === 0) return;
    for (const { id, hasInbox, hasOutbox } of await listWork(sql, [...workers.keys()])) {
      if (hasInbox) workers.get(id)?.wakeInbound();
      if (hasOutbox) workers.get(id)?.wakeOutbound();
    }
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
      if (isOutage(error)) outage.failed(error);
      else log.error("Connections to messengers could not be held", { error });
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
      await look();
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
    worker?.wakeOutbound();
    return worker !== undefined;
  };
  return {
    wake,
    ring(connectionId) {
      if (rung(connectionId)) return;
      ringOthers(connectionId);
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
      await Promise.race([stopped.promise, late.promise]);
      stopTimer();
      await loop.stop();
    },
  };
}
