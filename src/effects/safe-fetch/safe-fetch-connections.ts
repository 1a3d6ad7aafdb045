import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";

/**
 * Connections that are kept for later requests, separate for each key. A kept connection leads to the address that was checked when it
 * was opened. The connections of a key are
 *
 *     (none) ─ acquire ──────────────────────────────────→ in use
 *     in use ─ a request has ended ──────────────────────→ idle; closed when `mostIdle` of the key are idle already
 *     idle ─ acquire ────────────────────────────────────→ in use
 *     idle ─ `idleMs` have passed, or the server closes ─→ closed
 *     in use or idle ─ `maxAgeMs` after the first ───────→ retired: closed once the requests under way have ended, and
 *                                                          later ones look the host up anew
 */
export type Connections = {
  /** The agent to send a request with. Call `release` once it has ended. */
  acquire(key: string, isSecure: boolean): { readonly agent: Agent; release(): void };
};

export type Agent = PlainAgent | SecureAgent;

/** Shorter than servers keep connections (Node 5 s, nginx 75 s), so that they seldom close one that is just being used. */
const idleMs = 4_000;
/** A host whose addresses change is found again after this time. */
const maxAgeMs = 60_000;
/** Idle connections of a key. */
const mostIdle = 128;

type Kept = { readonly agent: Agent; readonly since: number; underWay: number; stopTimer(): void };

export function createConnections(clock: Clock = backgroundClock): Connections {
  const pools = new Map<string, Kept>();

  /** The end of the last request closes a retired connection. */
  const retire = (name: string, kept: Kept): void => {
    if (pools.get(name) === kept) pools.delete(name);
    if (kept.underWay === 0) kept.agent.destroy();
  };
  const find = (name: string, isSecure: boolean): Kept => {
    const known = pools.get(name);
    if (known && clock.now() - known.since < maxAgeMs) return known;
    if (known) retire(name, known);
    const options = { keepAlive: true, maxFreeSockets: mostIdle, timeout: idleMs };
    const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options);
    const kept = { agent, since: clock.now(), underWay: 0, stopTimer() {} };
    pools.set(name, kept);
    return kept;
  };
  return {
    acquire(key, isSecure) {
      const name = `${isSecure} ${key}`;
      const kept = find(name, isSecure);
      kept.underWay++;
      kept.stopTimer();
      return {
        agent: kept.agent,
        release() {
          kept.underWay--;
          if (kept.underWay > 0) return;
          if (pools.get(name) !== kept) kept.agent.destroy();
          else kept.stopTimer = clock.startTimer(idleMs, () => retire(name, kept));
        },
      };
    },
  };
}
