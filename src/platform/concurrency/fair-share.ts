import { AppError } from "../../errors.ts";
import { type Clock, systemClock } from "./clock.ts";

/**
 * Shares `total` units of a scarce resource fairly among owners, for example workspaces, or the session, the address
 * and the bot of an upload. `shares` defines the fraction of all units that a single owner of a kind may hold. An owner
 * may acquire more units while the ratio of its units to the free units is below that of its share: with a share of
 * 2/3, a single owner gets two thirds, two owners get 2/5 each, many owners get equal parts, and a new owner finds free
 * units. A request changes its state as follows:
 *
 *     (new) ─ its owners may hold the units, no waiting request has priority ─→ held
 *     (new) ─ otherwise ──────────────────────────────────────────────────────→ waiting
 *     (new) ─ its owners' share of the queue, or the whole queue, is full ────→ rejected
 *     waiting ─ units are released, and the request is first ─────────────────→ held
 *     waiting ─ `maxWaitMs` have passed, or its signal aborts ────────────────→ rejected and removed from the queue
 *     held ─ release ─────────────────────────────────────────────────────────→ (done)
 *
 * The first request is the request whose owners hold the least. If several owners hold equally little, the owner that
 * was served least recently comes first. Requests of the same owners keep their order. A request that waits for its own
 * share blocks no other request. If the first request does not fit into the free units, all other requests wait.
 *
 * Acquiring and releasing units costs 1.1 µs of processor time if no request waits (`bun
 * test/tools/bench/concurrency.ts`; two cores, Bun 1.4.4).
 */
export type FairShare<Kind extends string> = {
  /**
   * Waits for `amount` units. An amount above the total is reduced to the total. Resolves to a function that releases
   * the units. Rejects with the error of `refuse`, or with the reason of an aborted signal.
   */
  acquire(owners: Owners<Kind>, amount: number, signal?: AbortSignal): Promise<() => void>;
  /** Like `acquire`, but returns undefined instead of waiting. */
  tryAcquire(owners: Owners<Kind>, amount: number): (() => void) | undefined;
  /** Runs a task while holding `amount` units. `amount` defaults to one. */
  run<T>(owners: Owners<Kind>, task: () => Promise<T>, amount?: number): Promise<T>;
  usage(): Usage;
};

/** The owners whose shares a request uses. A kind without an owner is not limited. */
export type Owners<Kind extends string> = Readonly<Partial<Record<Kind, string | undefined>>>;

/** Numbers of held units, of waiting requests and of refused requests. */
export type Usage = { readonly held: number; readonly waiting: number; readonly refused: number };

type Refusal = { readonly waiting: number } | { readonly waitedMs: number };

export type FairShareOptions<Kind extends string> = {
  readonly total: number;
  /** For each kind of owner, the fraction of all units that a single owner may hold. */
  readonly shares: Readonly<Record<Kind, number>>;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** Returns the error for a refused request. Defaults to `server.overloaded`. */
  refuse?(why: Refusal): Error;
  readonly clock?: Clock;
};

type Owner = { readonly name: string; readonly share: number; held: number; waiting: number; turn: number };
type Waiter = { readonly owners: readonly Owner[]; readonly amount: number; start(): void };

const overloaded = (data: Refusal) => new AppError("server.overloaded", { data });

/** Shares are floating-point fractions, which are not exact. */
const tolerance = 1e-9;

export function createFairShare<Kind extends string>(options: FairShareOptions<Kind>): FairShare<Kind> {
  const { total, maxWaiting, maxWaitMs, refuse = overloaded, clock = systemClock } = options;
  const kinds = Object.entries<number>(options.shares);
  /** Owners that hold units or have waiting requests, by kind and key. */
  const known = new Map<string, Owner>();
  /** Waiting requests, grouped by their owners. */
  const lines = new Map<string, Set<Waiter>>();
  let free = total;
  let waiting = 0;
  let refused = 0;
  /** Counts the served requests. The turn of an owner is the number of its last served request. */
  let turns = 0;

  const ownersOf = (keys: Readonly<Record<string, string | undefined>>): Owner[] => {
    const owners: Owner[] = [];
    for (const [kind, share] of kinds) {
      if (keys[kind] === undefined) continue;
      const name = `${kind} ${keys[kind]}`;
      owners.push(known.get(name) ?? { name, share, held: 0, waiting: 0, turn: 0 });
    }
    return owners;
  };
  const isWithin = (share: number, taken: number, left: number): boolean =>
    taken * (1 - share) <= share * left + tolerance;
  const mayHold = ({ owners, amount }: Waiter): boolean =>
    owners.every(({ share, held }) => held === 0 || isWithin(share, held + amount, free - amount));
  const mayWait = (owners: readonly Owner[]): boolean =>
    waiting <= maxWaiting &&
    owners.every((owner) => owner.waiting === 1 || isWithin(owner.share, owner.waiting, maxWaiting - waiting));
  const count = (owners: readonly Owner[], what: "held" | "waiting", change: number): void => {
    for (const owner of owners) {
      owner[what] += change;
      if (owner.held === 0 && owner.waiting === 0) known.delete(owner.name);
      else known.set(owner.name, owner);
    }
  };
  const take = ({ owners, amount }: Waiter): void => {
    turns++;
    for (const owner of owners) owner.turn = turns;
    free -= amount;
    count(owners, "held", amount);
  };
  const findFirst = (): Waiter | undefined => {
    let first: Waiter | undefined;
    for (const [waiter] of lines.values()) {
      if (waiter && mayHold(waiter) && (!first || isBefore(waiter, first))) first = waiter;
    }
    return first;
  };
  const leave = (waiter: Waiter): boolean => {
    const name = lineOf(waiter.owners);
    const line = lines.get(name);
    if (!line?.delete(waiter)) return false;
    if (line.size === 0) lines.delete(name);
    waiting--;
    return true;
  };
  const pump = (): void => {
    for (let first = findFirst(); first && first.amount <= free; first = findFirst()) {
      leave(first);
      take(first);
      count(first.owners, "waiting", -1);
      first.start();
    }
  };
  const join = (waiter: Waiter): void => {
    const name = lineOf(waiter.owners);
    const line = lines.get(name) ?? new Set();
    lines.set(name, line.add(waiter));
    waiting++;
    count(waiter.owners, "waiting", 1);
  };
  const wait = async (owners: readonly Owner[], amount: number, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { owners, amount, start: resolve };
    const giveUp = (reason: unknown): void => {
      if (!leave(waiter)) return;
      count(owners, "waiting", -1);
      reject(reason);
      // Requests behind the removed request may fit now.
      pump();
    };
    const refuseIt = (why: { waiting: number } | { waitedMs: number }): void => {
      refused++;
      giveUp(refuse(why));
    };
    join(waiter);
    pump();
    if (!lines.get(lineOf(owners))?.has(waiter)) return;
    if (!mayWait(owners)) refuseIt({ waiting: waiting - 1 });
    const onAbort = (): void => giveUp(signal?.reason);
    const stopTimer = clock.startTimer(maxWaitMs, () => refuseIt({ waitedMs: maxWaitMs }));
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      stopTimer();
      signal?.removeEventListener("abort", onAbort);
    }
  };
  const releaseOf = (owners: readonly Owner[], amount: number): (() => void) => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      free += amount;
      count(owners, "held", -amount);
      if (waiting > 0) pump();
    };
  };
  const takeNow = (owners: readonly Owner[], amount: number): (() => void) | undefined => {
    const waiter = { owners, amount, start: () => {} };
    if (waiting > 0 || amount > free || !mayHold(waiter)) return undefined;
    take(waiter);
    return releaseOf(owners, amount);
  };
  const tryAcquire = (keys: Owners<Kind>, wanted: number): (() => void) | undefined =>
    takeNow(ownersOf(keys), Math.min(wanted, total));
  const acquire = async (keys: Owners<Kind>, wanted: number, signal?: AbortSignal): Promise<() => void> => {
    signal?.throwIfAborted();
    const owners = ownersOf(keys);
    const amount = Math.min(wanted, total);
    const release = takeNow(owners, amount);
    if (release) return release;
    await wait(owners, amount, signal);
    return releaseOf(owners, amount);
  };
  return {
    acquire,
    tryAcquire,
    async run(owners, task, amount = 1) {
      const release = await acquire(owners, amount);
      try {
        return await task();
      } finally {
        release();
      }
    },
    usage: () => ({ held: total - free, waiting, refused }),
  };
}

function isBefore(one: Waiter, other: Waiter): boolean {
  const difference = heldInShares(one) - heldInShares(other);
  return difference < 0 || (difference === 0 && turnOf(one) < turnOf(other));
}

/** Returns the largest fraction of a share that any owner of the request currently holds. */
function heldInShares({ owners }: Waiter): number {
  return owners.reduce((most, { held, share }) => Math.max(most, held / share), 0);
}

function turnOf({ owners }: Waiter): number {
  return owners.reduce((last, { turn }) => Math.max(last, turn), 0);
}

function lineOf(owners: readonly Owner[]): string {
  return owners.map(({ name }) => name).join("\n");
}
