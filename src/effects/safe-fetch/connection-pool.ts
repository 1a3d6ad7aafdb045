import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";

export type Agent = PlainAgent | SecureAgent;

/** A connection of one call: an open connection that was kept, or a new one. */
export type Lease = {
  readonly agent: Agent;
  /** The call has ended and left the connection, which leads to this address, intact. */
  keep(address: string | undefined): void;
  /** The call has ended in any other way. */
  close(): void;
};

/**
 * Connections to providers that a later call of the same workspace to the same origin may reuse, as long as that call
 * may be made to the very address of the connection: the host is resolved and checked for each call, as for a new
 * connection. Each has its own agent, so that it holds nothing else.
 *
 *     (none) ─ acquire, and none is idle that may be used ─→ in use, once it is opened
 *     in use ─ keep ───────────────────────────────────────→ idle
 *     in use ─ close ──────────────────────────────────────→ closed
 *     idle ─ acquire, and its address may be called ───────→ in use
 *     idle ─ acquire, and it may not ──────────────────────→ closed
 *     idle ─ `idleMs` have passed, or others are too many ─→ closed
 */
export type ConnectionPool = {
  acquire(place: { key: string; isSecure: boolean; addresses(): Promise<readonly string[]> }): Promise<Lease>;
  /** A new connection. */
  open(place: { key: string; isSecure: boolean }): Lease;
};

/** Shorter than servers keep connections (Node 5 s, nginx 75 s), and longer than most tools take. */
const idleMs = 4_000;
const mostIdleOfKey = 16;
const mostIdle = 256;
/** A slower look-up is repeated when a new connection is opened, under the call's own timeouts. */
const lookUpMs = 1_000;

type Idle = { readonly agent: Agent; readonly address: string; stopTimer(): void };

export function createConnectionPool(clock: Clock = backgroundClock): ConnectionPool {
  const idle = new Map<string, Idle[]>();
  let count = 0;

  const remove = (key: string, one: Idle): void => {
    const left = (idle.get(key) ?? []).filter((other) => other !== one);
    one.stopTimer();
    count--;
    if (left.length === 0) idle.delete(key);
    else idle.set(key, left);
  };
  const leaseOf = (key: string, agent: Agent): Lease => ({
    agent,
    keep(address) {
      const others = idle.get(key) ?? [];
      if (address === undefined || count >= mostIdle || others.length >= mostIdleOfKey) {
        agent.destroy();
        return;
      }
      const stopTimer = clock.startTimer(idleMs, () => {
        remove(key, one);
        agent.destroy();
      });
      const one: Idle = { agent, address, stopTimer };
      idle.set(key, [...others, one]);
      count++;
    },
    close: () => agent.destroy(),
  });
  const open: ConnectionPool["open"] = ({ key, isSecure }) => {
    const options = { keepAlive: true, maxSockets: 1 };
    return leaseOf(key, isSecure ? new SecureAgent(options) : new PlainAgent(options));
  };
  return {
    open,
    async acquire({ key, isSecure, addresses }) {
      if (!idle.has(key)) return open({ key, isSecure });
      const permitted = new Set(await within(clock, addresses()));
      // Other calls may have taken some of the connections meanwhile.
      for (const one of idle.get(key) ?? []) {
        remove(key, one);
        if (permitted.has(one.address)) return leaseOf(key, one.agent);
        one.agent.destroy();
      }
      return open({ key, isSecure });
    },
  };
}

function within(clock: Clock, addresses: Promise<readonly string[]>): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const stopTimer = clock.startTimer(lookUpMs, () => resolve([]));
    const end = (found: readonly string[]): void => {
      stopTimer();
      resolve(found);
    };
    addresses.then(end, () => end([]));
  });
}
