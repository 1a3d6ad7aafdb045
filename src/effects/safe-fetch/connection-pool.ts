import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";

export type Agent = PlainAgent | SecureAgent;

/** A connection for one call, either reused or new. */
export type Lease = {
  readonly agent: Agent;
  /**
   * Puts the connection back into the pool after a call that left it reusable, or closes it if the pool is full.
   * `address` is the IP address of the connection.
   */
  keep(address: string | undefined): void;
  /** Closes the connection, after a call that left it unusable. */
  close(): void;
};

/**
 * The connections to providers, which later calls of the same workspace to the same origin may reuse. For each call,
 * the host is resolved and checked as for a new connection. A connection is reused only if its address is still
 * permitted. Each connection has its own agent, so that the agent holds no other connection.
 *
 *     (none) ─ acquire, and no idle connection may be used ─→ in use, after the connection is opened
 *     in use ─ keep ────────────────────────────────────────→ idle
 *     in use ─ close, or keep with too many idle ones ──────→ closed
 *     idle ─ acquire, and the address is permitted ─────────→ in use
 *     idle ─ acquire, and the address is not permitted ─────→ closed
 *     idle ─ after `idleMs` ────────────────────────────────→ closed
 */
export type ConnectionPool = {
  acquire(place: { key: string; isSecure: boolean; addresses(): Promise<readonly string[]> }): Promise<Lease>;
  open(place: { key: string; isSecure: boolean }): Lease;
};

/**
 * The maximum idle time, which is shorter than that of servers (Node 5 s, nginx 75 s), and longer than most tool calls
 * take.
 */
const idleMs = 4_000;
const mostIdleOfKey = 16;
const mostIdle = 256;
/**
 * The maximum time for a DNS look-up. After a slower look-up, a new connection is opened, and the look-up is repeated
 * with the call's own timeouts.
 */
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
      // Other calls may have taken some of the connections during the look-up.
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
