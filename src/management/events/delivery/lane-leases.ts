import { limits } from "../../../limits/index.ts";
import { type Clock, systemClock } from "../../../platform/concurrency/clock.ts";
import { type Lane, laneCount } from "./lanes.sql.ts";

/**
 * The leases that this process holds (`management/events/delivery/lanes.sql.ts`). A lane is
 *
 *     (not held) ─ granted, or named by a renewal ──────────────→ held, until its deadline
 *     held ─ renewed ───────────────────────────────────────────→ held, until a later deadline
 *     held ─ wanted by another process, idle, or the process stops ─→ leaving: no call is begun in it
 *     leaving ─ the calls in it have ended, and are saved ──────→ to be released, then not held
 *     held or leaving ─ its deadline has passed, or a renewal does not name it ─→ not held: its calls are broken off
 *
 * A deadline counts from before the statement that leased the lane, by this process' own clock, and is earlier than
 * that of the database: a process that was suspended, or cannot reach the database, sends nothing once another process
 * may have the lane.
 */
export type LaneLeases = {
  /** Lanes that a statement sent at `askedAt` leased. */
  granted(lanes: readonly Lane[], askedAt: number): void;
  /** All lanes that this process holds, by a statement sent at `askedAt`. */
  renewed(lanes: readonly (Lane & { readonly isWanted: boolean })[], askedAt: number): void;
  /** The lanes of an endpoint in which calls may begin. */
  usable(endpointId: string): number[];
  /** Counts a call in a lane until `done`; undefined if none may begin. */
  use(lane: Lane): LaneUse | undefined;
  /** Leaves the lanes of an endpoint, or all. */
  leave(endpointId?: string): void;
  /** Lanes that are left, without calls. */
  toRelease(): Lane[];
  released(lanes: readonly Lane[]): void;
  isHeld(endpointId: string, lane: number): boolean;
  count(): number;
};

export type LaneUse = {
  /** Aborted when the lane is lost. */
  readonly signal: AbortSignal;
  done(): void;
};

/** How much earlier than in the database a lease ends here. */
const marginMs = 1_000;

const lanes = Array.from({ length: laneCount }, (_, lane) => lane);

type Held = Lane & { deadline: number; calls: number; isLeaving: boolean; readonly lost: AbortController };

/** `onLeft` is called when a lane that is being left has no more calls. */
export function createLaneLeases({ clock = systemClock, onLeft }: { clock?: Clock; onLeft(): void }): LaneLeases {
  const held = new Map<string, Held>();
  let stopTimer = (): void => {};

  const lose = (lane: Held): void => {
    held.delete(nameOf(lane));
    lane.lost.abort();
  };
  const dropExpired = (): void => {
    for (const lane of held.values()) if (lane.deadline <= clock.now()) lose(lane);
    stopTimer();
    if (held.size === 0) return;
    const next = Math.min(...[...held.values()].map(({ deadline }) => deadline));
    stopTimer = clock.startTimer(next - clock.now(), dropExpired);
  };
  const hold = ({ endpointId, lane }: Lane, askedAt: number): Held => {
    const deadline = askedAt + limits.events.leaseSeconds * 1_000 - marginMs;
    const known = held.get(nameOf({ endpointId, lane }));
    if (known) return Object.assign(known, { deadline });
    const taken = { endpointId, lane, deadline, calls: 0, isLeaving: false, lost: new AbortController() };
    held.set(nameOf(taken), taken);
    return taken;
  };
  const isUsable = (lane: Held): boolean => !lane.isLeaving && lane.deadline > clock.now();
  return {
    granted(given, askedAt) {
      for (const lane of given) hold(lane, askedAt);
      dropExpired();
    },
    renewed(own, askedAt) {
      const names = new Set(own.map(nameOf));
      for (const lane of held.values()) if (!names.has(nameOf(lane))) lose(lane);
      for (const lane of own) hold(lane, askedAt).isLeaving ||= lane.isWanted;
      dropExpired();
    },
    usable: (endpointId) =>
      lanes.filter((lane) => {
        const known = held.get(nameOf({ endpointId, lane }));
        return known !== undefined && isUsable(known);
      }),
    use(wanted) {
      const lane = held.get(nameOf(wanted));
      if (!lane || !isUsable(lane)) return undefined;
      lane.calls++;
      return {
        signal: lane.lost.signal,
        done() {
          lane.calls--;
          if (lane.isLeaving && lane.calls === 0) onLeft();
        },
      };
    },
    leave(endpointId) {
      for (const lane of held.values()) {
        if (endpointId === undefined || lane.endpointId === endpointId) lane.isLeaving = true;
      }
    },
    toRelease: () => [...held.values()].filter(({ isLeaving, calls }) => isLeaving && calls === 0),
    released(given) {
      for (const { endpointId, lane } of given) held.delete(nameOf({ endpointId, lane }));
    },
    isHeld: (endpointId, lane) => held.has(nameOf({ endpointId, lane })),
    count: () => held.size,
  };
}

function nameOf({ endpointId, lane }: Lane): string {
  return `${endpointId} ${lane}`;
}
