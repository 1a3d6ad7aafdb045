import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { array, asyncProperty, assert as check, integer } from "fast-check";
import { limits } from "../../../../src/limits/index.ts";
import {
  laneCount,
  listDueEndpoints,
  releaseLanes,
  renewLanes,
  takeLanes,
  wantLanes,
} from "../../../../src/management/events/delivery/lanes.sql.ts";
import { endOldFutureOfEvents } from "../../../../src/management/events/delivery/old-future.sql.ts";
import type { Sql } from "../../../../src/platform/database/sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putAnswer, putEndpoint } from "../../../support/events.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ sql } = database);
});
afterAll(() => database.close());
afterEach(async () => {
  await sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

const lanes = async () => {
  const rows = await sql<{ holder: string | null }[]>`select holder from event_lanes order by lane`;
  return rows.map(({ holder }) => holder);
};
const due = async (holder = newId()) => (await listDueEndpoints(sql, { holder, limit: 10 }))[0];
/** Moves the leases `seconds` closer to their end. */
const letPass = (seconds: number) =>
  sql`update event_lanes set held_until = held_until - make_interval(secs => ${seconds})`;

/** Creates an endpoint with events in every lane. */
async function putDue(): Promise<string> {
  const { endpointId } = await putEndpoint(sql, { url: "https://example.com" });
  for (let index = 0; index < 40; index++) {
    await putAnswer(sql, { endpointId, sessionId: newId(), content: String(index) });
  }
  return endpointId;
}

test("event lanes are leased for a limited number of seconds", async () => {
  const endpointId = await putDue();
  const holder = newId();
  expect(await takeLanes(sql, { holder, endpointIds: [endpointId] })).toHaveLength(laneCount);
  expect(await takeLanes(sql, { holder: newId(), endpointIds: [endpointId] })).toEqual([]);
  const seconds = async () => {
    const [row] = await sql<
      [{ left: number }]
    >`select extract(epoch from min(held_until) - clock())::float as left from event_lanes`;
    return row.left;
  };
  await letPass(limits.events.leaseSeconds - 1);
  expect(await seconds()).toBeLessThan(2);

  expect(await renewLanes(sql, holder)).toHaveLength(laneCount);
  expect(await seconds()).toBeGreaterThan(limits.events.leaseSeconds - 1);
  await letPass(limits.events.leaseSeconds);

  expect(await due()).toMatchObject({ isFree: true });
  expect(await takeLanes(sql, { holder: newId(), endpointIds: [endpointId] })).toHaveLength(laneCount);
  expect(await renewLanes(sql, holder)).toEqual([]);
});

test("an event lane leased too far into the future becomes free", async () => {
  const endpointId = await putDue();
  const [dead, living] = [newId(), newId()];
  await takeLanes(sql, { holder: dead, endpointIds: [endpointId] });
  await sql`update event_lanes set holder = ${living} where lane = 0`;
  await letPass(-3_600);

  await endOldFutureOfEvents(sql);
  expect(await due()).toMatchObject({ isFree: false });
  await letPass(limits.events.leaseSeconds - 1);
  await renewLanes(sql, living);
  await letPass(5);

  const taken = await takeLanes(sql, { holder: newId(), endpointIds: [endpointId] });
  expect(taken.map(({ lane }) => lane).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("an endpoint's pause ends if the clock was set back after its start", async () => {
  const endpointId = await putDue();
  const holder = newId();
  await takeLanes(sql, { holder, endpointIds: [endpointId] });
  await sql`update event_endpoints set paused_until = clock() + interval '1 hour'`;
  await sql`update event_deliveries set last_attempt_at = clock() + interval '59 minutes'`;
  await renewLanes(sql, holder);
  expect(await due(holder)).toBeUndefined();

  await endOldFutureOfEvents(sql);

  expect(await due(holder)).toMatchObject({ id: endpointId });
});

test("event lanes are shared with all processes that request them", async () => {
  const endpointId = await putDue();
  const [one, two, three] = [newId(), newId(), newId()];
  const endpointIds = [endpointId];
  await takeLanes(sql, { holder: one, endpointIds });
  await sql`update event_deliveries set next_attempt_at = clock() - interval '5 seconds'`;
  expect(await due(two)).toMatchObject({ isFree: false, ownLanes: [], isLate: true });

  await wantLanes(sql, { holder: two, endpointIds });
  await wantLanes(sql, { holder: two, endpointIds });
  await wantLanes(sql, { holder: three, endpointIds });
  const own = await renewLanes(sql, one);
  const wanted = own.filter(({ isWanted }) => isWanted);
  expect(wanted).toHaveLength(4 + 2);
  await releaseLanes(sql, one, wanted);

  const held = await lanes();
  expect([one, two, three].map((node) => held.filter((holder) => holder === node).length)).toEqual([2, 4, 2]);
  await releaseLanes(sql, two, await renewLanes(sql, two));
  expect((await lanes()).filter((holder) => holder === null)).toHaveLength(4);
});

test.each([
  [4, 2],
  [3, 1],
  [1, 0],
])(
  "a request transfers half of the held lanes, rounded down (held: %d, transferred: %d), and none is requested back",
  async (held, asked) => {
    const endpointId = await putDue();
    const [one, two] = [newId(), newId()];
    const endpointIds = [endpointId];
    await takeLanes(sql, { holder: one, endpointIds });
    await sql`update event_lanes set holder = null where lane >= ${held}`;
    const handOver = async (from: string, to: string) => {
      await wantLanes(sql, { holder: to, endpointIds });
      const wanted = (await renewLanes(sql, from)).filter(({ isWanted }) => isWanted);
      await releaseLanes(sql, from, wanted);
      return wanted.length;
    };

    expect([await handOver(one, two), await handOver(two, one), await handOver(one, two)]).toEqual([asked, 0, 0]);
  },
);

test("each process with event lanes keeps at least one when others request lanes", async () => {
  const endpointId = await putDue();
  const processes = Array.from({ length: 4 }, () => newId());
  const [first = ""] = processes;
  const endpointIds = [endpointId];
  await takeLanes(sql, { holder: first, endpointIds });
  /**
   * Lets each process request lanes, and release the lanes that others have requested. Returns the number of lanes that
   * changed their holder.
   */
  const round = async (order: readonly string[]) => {
    let handedOver = 0;
    for (const holder of order) {
      await wantLanes(sql, { holder, endpointIds });
      for (const other of order) {
        const wanted = (await renewLanes(sql, other)).filter(({ isWanted }) => isWanted);
        if (wanted.length > 0) await releaseLanes(sql, other, wanted);
        handedOver += wanted.length;
      }
    }
    return handedOver;
  };
  const part = integer({ min: -1, max: processes.length - 1 });
  await check(
    asyncProperty(array(part, { minLength: laneCount, maxLength: laneCount }), async (parts) => {
      const holders = parts.map((index) => processes[index] ?? null);
      await sql`
        update event_lanes
        set holder = given.holder, held_until = clock() + interval '1 minute', wanted_by = null, wanted_until = null
        from unnest(${holders}::uuid[]) with ordinality as given (holder, place)
        where lane = place - 1`;
      let rounds = 0;
      while ((await round(processes)) > 0) expect(++rounds).toBeLessThan(laneCount);
      const held = new Set((await lanes()).filter((holder) => holder !== null));
      for (const holder of holders) if (holder !== null) expect(held).toContain(holder);
    }),
    { numRuns: 15 },
  );
});

test("no more processes share event lanes than the endpoint allows concurrent calls", async () => {
  const endpointId = await putDue();
  await sql`update event_endpoints set max_concurrency = 1`;
  const [one, two] = [newId(), newId()];
  await takeLanes(sql, { holder: one, endpointIds: [endpointId] });
  await wantLanes(sql, { holder: two, endpointIds: [endpointId] });
  await sql`update event_lanes set held_until = clock() where lane < 4`;

  expect((await renewLanes(sql, one)).filter(({ isWanted }) => isWanted)).toEqual([]);
  await sql`update event_lanes set held_until = clock() where lane < 4`;
  expect(await takeLanes(sql, { holder: two, endpointIds: [endpointId] })).toEqual([]);
});

test("free event lanes go to a process that already delivers", async () => {
  const endpointId = await putDue();
  const [one, two, three] = [newId(), newId(), newId()];
  const endpointIds = [endpointId];
  await takeLanes(sql, { holder: one, endpointIds });
  await sql`update event_lanes set holder = ${two} where lane >= 4`;
  await sql`update event_endpoints set max_concurrency = 1`;
  await sql`update event_lanes set held_until = clock() where lane in (0, 4)`;

  expect(await takeLanes(sql, { holder: three, endpointIds })).toEqual([]);
  expect(await takeLanes(sql, { holder: one, endpointIds })).toHaveLength(2);
});

test("lanes and the leases of the previous release exclude each other", async () => {
  const endpointId = await putDue();
  const endpointIds = [endpointId];
  // Leases an endpoint with the query of the previous release.
  const takeAsBefore = () => sql`
    update event_endpoints
    set lease_id = ${newId()}, leased_until = clock() + interval '120 seconds'
    where leased_until is null or leased_until <= clock()
    returning id`;
  expect(await takeAsBefore()).toHaveLength(1);
  expect(await due()).toBeUndefined();
  expect(await takeLanes(sql, { holder: newId(), endpointIds })).toEqual([]);
  await sql`update event_endpoints set leased_until = null, lease_id = null`;

  const holder = newId();
  expect(await takeLanes(sql, { holder, endpointIds })).toHaveLength(laneCount);
  expect(await takeAsBefore()).toHaveLength(0);
  // Let the lease of this node expire, as if the node was suspended, so that the other node takes over.
  await sql`update event_endpoints set leased_until = clock()`;
  expect(await takeAsBefore()).toHaveLength(1);
  expect(await renewLanes(sql, holder)).toEqual([]);
});
