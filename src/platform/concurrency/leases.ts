import { type Clock, systemClock } from "./clock.ts";

/**
 * The leases that this process holds in a table of the database. A leased object changes its state as follows:
 *
 *     (not held) ─ granted, or part of a renewal ────────────────→ held until its deadline
 *     held ─ renewed ────────────────────────────────────────────→ held until a later deadline
 *     held ─ requested by another process, idle, or process stop ─→ leaving: no new call begins
 *     leaving ─ its calls have ended and are saved ──────────────→ to be released, then not held
 *     held or leaving ─ deadline passed, or not in a renewal ────→ not held: its calls are aborted
 *
 * A deadline is measured by this process's own clock from before the statement that acquired the lease, and is earlier
 * than the deadline in the database. A process that was suspended or cannot reach the database therefore sends nothing
 * once another process may hold the lease.
 */
export type Leases<Thing> = {
  /** Records the leases that a statement sent at `askedAt` has acquired. */
  granted(things: readonly Thing[], askedAt: number): void;
  /**
   * Replaces the recorded leases with all leases that this process holds according to a statement sent at `askedAt`.
   * Objects that another process wants accept no new calls.
   */
  renewed(things: readonly (Thing & { readonly isWanted: boolean })[], askedAt: number): void;
  /** Whether a new call may begin under the lease of this object. */
  isUsable(thing: Thing): boolean;
  /** Counts a call under the lease until `done` is called. Returns undefined if no call may begin. */
  use(thing: Thing): LeaseUse | undefined;
  /** Stops new calls for the leased objects that `which` selects, or for all leased objects. */
  leave(which?: (thing: Thing) => boolean): void;
  /** Returns the leased objects that accept no new calls and have no calls left. */
  toRelease(): Thing[];
  released(things: readonly Thing[]): void;
  isHeld(thing: Thing): boolean;
  count(): number;
};

export type LeaseUse = {
  /** Aborted when the lease is lost. */
  readonly signal: AbortSignal;
  done(): void;
};

/** How much earlier a lease expires in this process than in the database. */
const marginMs = 1_000;

export type LeasesOptions<Thing> = {
  /** The duration of a lease in the database. */
  readonly leaseMs: number;
  nameOf(thing: Thing): string;
  /** Called when a leased object that accepts no new calls has finished its last call. */
  onLeft(): void;
  readonly clock?: Clock;
};

type Held<Thing> = {
  readonly thing: Thing;
  deadline: number;
  calls: number;
  isLeaving: boolean;
  lost: AbortController;
};

export function createLeases<Thing>(options: LeasesOptions<Thing>): Leases<Thing> {
  const { leaseMs, nameOf, onLeft, clock = systemClock } = options;
  const held = new Map<string, Held<Thing>>();
  let stopTimer = (): void => {};

  const lose = (one: Held<Thing>): void => {
    held.delete(nameOf(one.thing));
    one.lost.abort();
  };
  const dropExpired = (): void => {
    for (const one of held.values()) if (one.deadline <= clock.now()) lose(one);
    stopTimer();
    if (held.size === 0) return;
    const next = Math.min(...[...held.values()].map(({ deadline }) => deadline));
    stopTimer = clock.startTimer(next - clock.now(), dropExpired);
  };
  const hold = (thing: Thing, askedAt: number): Held<Thing> => {
    const deadline = askedAt + leaseMs - marginMs;
    const name = nameOf(thing);
    const known = held.get(name);
    if (known) return Object.assign(known, { deadline });
    const taken = { thing, deadline, calls: 0, isLeaving: false, lost: new AbortController() };
    held.set(name, taken);
    return taken;
  };
  const isFree = (one: Held<Thing>): boolean => !one.isLeaving && one.deadline > clock.now();
  return {
    granted(given, askedAt) {
      for (const thing of given) hold(thing, askedAt);
      dropExpired();
    },
    renewed(own, askedAt) {
      const names = new Set(own.map(nameOf));
      for (const one of held.values()) if (!names.has(nameOf(one.thing))) lose(one);
      for (const thing of own) hold(thing, askedAt).isLeaving ||= thing.isWanted;
      dropExpired();
    },
    isUsable(thing) {
      const known = held.get(nameOf(thing));
      return known !== undefined && isFree(known);
    },
    use(wanted) {
      const one = held.get(nameOf(wanted));
      if (!one || !isFree(one)) return undefined;
      one.calls++;
      return {
        signal: one.lost.signal,
        done() {
          one.calls--;
          if (one.isLeaving && one.calls === 0) onLeft();
        },
      };
    },
    leave(which = () => true) {
      for (const one of held.values()) if (which(one.thing)) one.isLeaving = true;
    },
    toRelease: () =>
      [...held.values()].filter(({ isLeaving, calls }) => isLeaving && calls === 0).map(({ thing }) => thing),
    released(given) {
      for (const thing of given) held.delete(nameOf(thing));
    },
    isHeld: (thing) => held.has(nameOf(thing)),
    count: () => held.size,
  };
}
