import { describe, expect, test } from "bun:test";
import { array, asyncProperty, boolean, assert as check, constantFrom, integer, record } from "fast-check";
import { limits } from "../../../../src/limits/index.ts";
import { createLaneLeases, type LaneLeases } from "../../../../src/management/events/delivery/lane-leases.ts";
import type { Lane } from "../../../../src/management/events/delivery/lanes.sql.ts";
import { createVirtualClock, type VirtualClock } from "../../../support/virtual-clock.ts";

const endpointId = "endpoint";
const laneList = [0, 1, 2];
const leaseMs = limits.events.leaseSeconds * 1_000;

/** Creates a table that behaves like the statements of `management/events/delivery/lanes.sql.ts`. */
function createTable(clock: VirtualClock) {
  type Row = { holder: number | null; until: number; wantedBy: number | null };
  const rows = laneList.map((): Row => ({ holder: null, until: 0, wantedBy: null }));
  const isHeld = ({ holder, until }: Row): boolean => holder !== null && until > clock.now();
  const of = (node: number) => laneList.filter((lane) => rows[lane]?.holder === node);
  return {
    rows,
    take(node: number) {
      const free = laneList.filter((lane) => !isHeld(rows[lane] ?? { holder: null, until: 0, wantedBy: null }));
      for (const lane of free) rows[lane] = { holder: node, until: clock.now() + leaseMs, wantedBy: null };
      return free.map((lane) => ({ endpointId, lane }));
    },
    renew(node: number) {
      for (const lane of of(node)) Object.assign(rows[lane] ?? {}, { until: clock.now() + leaseMs });
      return of(node).map((lane) => ({ endpointId, lane, isWanted: rows[lane]?.wantedBy !== null }));
    },
    want(node: number) {
      const wanted = rows.find((row) => isHeld(row) && row.holder !== node && row.wantedBy === null);
      if (wanted) wanted.wantedBy = node;
    },
    release(node: number, lanes: readonly { lane: number }[]) {
      for (const { lane } of lanes) {
        const row = rows[lane];
        if (row?.holder !== node) continue;
        rows[lane] = { holder: row.wantedBy, until: clock.now() + leaseMs, wantedBy: null };
      }
    },
  };
}

const pause = constantFrom(0, 0, 0, 1, 900, 2_000, 5_000, leaseMs - 2_000, leaseMs - 1_000, leaseMs - 500, leaseMs);
const moves = array(
  record({
    kind: constantFrom("take", "renew", "leave", "want"),
    node: integer({ min: 0, max: 2 }),
    /** The time that a statement needs to reach the database, and the time that the response needs to return. */
    toMs: pause,
    backMs: pause,
    isAnswerLost: boolean(),
    thenMs: pause,
  }),
  { maxLength: 30 },
);

test("two processes never use the same event lane at once", () =>
  check(
    asyncProperty(moves, async (made) => {
      const clock = createVirtualClock();
      const table = createTable(clock);
      const nodes = [0, 1, 2].map(() => createLaneLeases({ clock, onLeft: () => {} }));
      const expectOneUser = (): void => {
        for (const lane of laneList) {
          const users = nodes.filter((leases) => leases.usable(endpointId).includes(lane));
          expect(users.length).toBeLessThanOrEqual(1);
          // A process stops using a lane before its lease in the table ends and another process may take the lane.
          for (const user of users) {
            const { holder, until } = table.rows[lane] ?? { holder: null, until: 0 };
            expect({ lane, holder, isOver: until <= clock.now() }).toEqual({
              lane,
              holder: nodes.indexOf(user),
              isOver: false,
            });
          }
        }
      };
      const pass = async (ms: number): Promise<void> => {
        await clock.advance(ms);
        expectOneUser();
      };
      for (const { kind, node, toMs, backMs, isAnswerLost, thenMs } of made) {
        const leases = nodes[node];
        if (!leases) continue;
        const askedAt = clock.now();
        if (kind === "leave") leases.leave();
        const left = leases.toRelease();
        await pass(toMs);
        const answer = askTable(table, { kind, node, left });
        await pass(backMs);
        if (!isAnswerLost) answer(leases, askedAt);
        await pass(thenMs);
      }
      // Without another request, as if all processes had died, every lane is free after the lease period.
      await pass(leaseMs);
      expect(nodes.map((leases) => leases.count())).toEqual([0, 0, 0]);
      expect(table.take(0)).toHaveLength(laneList.length);
    }),
    { numRuns: 1_000 },
  ));

/** Executes a statement. Returns a function that passes the response to the process. */
function askTable(
  table: ReturnType<typeof createTable>,
  { kind, node, left }: { kind: string; node: number; left: readonly Lane[] },
): (leases: LaneLeases, askedAt: number) => void {
  if (kind === "take") {
    const taken = table.take(node);
    return (leases, askedAt) => leases.granted(taken, askedAt);
  }
  if (kind === "renew") {
    const own = table.renew(node);
    return (leases, askedAt) => leases.renewed(own, askedAt);
  }
  if (kind === "leave") {
    table.release(node, left);
    return (leases) => leases.released(left);
  }
  table.want(node);
  return () => {};
}

describe("a lane", () => {
  const lane = { endpointId, lane: 0 };

  test("calls in an event lane are aborted if its lease is not renewed", async () => {
    const clock = createVirtualClock();
    const leases = createLaneLeases({ clock, onLeft: () => {} });
    leases.granted([lane], clock.now());
    const use = leases.use(lane);

    await clock.advance(leaseMs - 1_001);
    expect([use?.signal.aborted, leases.usable(endpointId)]).toEqual([false, [0]]);
    await clock.advance(1);

    expect([use?.signal.aborted, leases.usable(endpointId), leases.count()]).toEqual([true, [], 0]);
    expect(clock.timers()).toBe(0);
  });

  test("an event lane that another process requests accepts no more calls", () => {
    let left = 0;
    const clock = createVirtualClock();
    const leases = createLaneLeases({ clock, onLeft: () => left++ });
    leases.granted([lane], clock.now());
    const use = leases.use(lane);

    leases.renewed([{ ...lane, isWanted: true }], clock.now());
    expect([leases.use(lane), leases.toRelease().length, left]).toEqual([undefined, 0, 0]);
    use?.done();

    expect([leases.toRelease().length, left, use?.signal.aborted]).toEqual([1, 1, false]);
  });

  test("a lane is lost if the response to a renewal does not contain the lane", () => {
    const clock = createVirtualClock();
    const leases = createLaneLeases({ clock, onLeft: () => {} });
    leases.granted([lane], clock.now());
    const use = leases.use(lane);

    leases.renewed([], clock.now());

    expect([use?.signal.aborted, leases.count()]).toEqual([true, 0]);
  });
});
