import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { saveOutcomes } from "../../../src/management/events/delivery/attempts.ts";
import { laneCount, listDueEndpoints, takeLanes } from "../../../src/management/events/delivery/lanes.sql.ts";
import { type DueMessage, listDueMessages } from "../../../src/management/events/delivery/queue.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { casesOf, isLong } from "../../support/campaigns.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putEndpoint } from "../../support/events.ts";
import { createReadCounter, type PlanMode, type ReadCounter } from "../../support/reads.ts";

const endpoints = 20;
/** Enough for two pages of due chats in each lane, for any distribution. */
const chatsEach = 700;
const eventsEach = 5;
const keysPerLane = 8;
const lanes = Array.from({ length: laneCount }, (_, lane) => lane);
const holder = newId();

let database: TestDatabase;
let endpointId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  for (let index = 0; index < endpoints; index++) {
    ({ endpointId } = await putEndpoint(sql, { url: "https://receiver.example/" }));
  }
  const rows = await sql<{ id: string }[]>`select id from event_endpoints`;
  await takeLanes(sql, { holder, endpointIds: rows.map(({ id }) => id) });
  await fill(database.sql);
}, 60_000);
afterAll(() => database.close());

/**
 * Stores events. Half of the chats wait for their next attempt, and one of the five events of each chat was delivered.
 */
async function fill(sql: TestDatabase["sql"]): Promise<void> {
  await sql`
    insert into event_deliveries (id, endpoint_id, type, session_id, order_key, status, next_attempt_at)
    select gen_random_uuid(), chat.endpoint_id, 'result.answered', chat.id, chat.id,
      case when place % 3 = 0 then 'delivered' else 'pending' end,
      clock() + case when chat.number % 2 = 0 then interval '1 hour' else interval '-1 minute' end
    from (
      select gen_random_uuid() as id, number, e.id as endpoint_id
      from event_endpoints e
      cross join generate_series(1, ${chatsEach}::integer) as number
      where not exists (select from event_deliveries where endpoint_id = e.id)
    ) chat
    cross join generate_series(1, ${eventsEach}::integer) as place`;
}

describe.each(["never analysed", "analysed"])("reads of a log that was %s", (state) => {
  describe.each(["force_custom_plan", "force_generic_plan"] as const)("the plan mode %s", (mode: PlanMode) => {
    let counter: ReadCounter;
    beforeAll(async () => {
      if (state === "analysed") await database.sql`analyze`;
      counter = createReadCounter(database.url, mode);
    });
    afterAll(() => counter.close());

    const due = (exceptKeys: readonly string[]) => ({
      ...{ endpointId, lanes, exceptKeys, keysPerLane, messagesPerKey: eventsEach },
    });

    test("a search for due endpoints reads fewer than ten rows per lane", async () => {
      let found = 0;
      const read = await counter.rowsRead(async (sql) => {
        found = (await listDueEndpoints(sql, { holder, limit: 100 })).length;
      });

      expect(found).toBe(endpoints);
      expect(read).toBeLessThan(10 * endpoints * laneCount);
    });

    test("listing due events reads fewer than ten rows per event", async () => {
      const keys = laneCount * keysPerLane;
      let first: DueMessage[] = [];
      let second: DueMessage[] = [];
      const read = await counter.rowsRead(async (sql) => {
        first = await listDueMessages(sql, due([]));
        second = await listDueMessages(sql, due(first.map(({ orderKey }) => orderKey)));
      });

      const [one, other] = [first, second].map((list) => new Set(list.map(({ orderKey }) => orderKey)));
      expect([one?.size, other?.size]).toEqual([keys, keys]);
      expect(one?.isDisjointFrom(other ?? new Set())).toBe(true);
      expect(read).toBeLessThan(10 * keys * eventsEach);
    });

    test("saving outcomes reads a limited number of rows for each outcome", async () => {
      const messages = await listDueMessages(database.sql, due([]));
      const attempts = [...Map.groupBy(messages, ({ orderKey }) => orderKey).values()].flatMap(([message], index) =>
        message === undefined
          ? []
          : {
              ...{ messageId: message.id, isDelivered: index % 2 === 0, retrySeconds: 5 },
              ...{ statusCode: 200, error: null, response: null },
            },
      );
      let saved: unknown[] = [];
      const read = await counter.rowsRead(async (sql) => {
        saved = await saveOutcomes(sql, holder, attempts);
      });

      expect(new Set(saved)).toEqual(new Set(["delivered", "pending"]));
      expect(read).toBeLessThan(attempts.length * (10 + endpoints * laneCount));
    });
  });
});

const analysed = {
  "while the log was empty": async () => {},
  "while another endpoint's events waited": fill,
  "while another endpoint's events had been delivered": async (sql: TestDatabase["sql"]) => {
    await fill(sql);
    await sql`update event_deliveries set status = 'delivered'`;
  },
  "while one of another endpoint's many events waited": async (sql: TestDatabase["sql"]) => {
    await sql`
      insert into event_deliveries (id, endpoint_id, type, order_key, status)
      select gen_random_uuid(), id, 'result.answered', gen_random_uuid(), 'delivered'
      from event_endpoints
      cross join generate_series(1, 20000)`;
    await sql`
      insert into event_deliveries (id, endpoint_id, type, order_key)
      select gen_random_uuid(), id, 'result.answered', gen_random_uuid()
      from event_endpoints
      cross join generate_series(1, 2000)`;
    await sql`
      update event_deliveries
      set status = 'delivered'
      where id not in (select id from event_deliveries where status = 'pending' order by sequence limit 1)`;
  },
  "while few of another endpoint's events waited": async (sql: TestDatabase["sql"]) => {
    await fill(sql);
    await sql`update event_deliveries set status = 'delivered' where sequence > 50`;
  },
};

const inShort = ["while the log was empty", "while one of another endpoint's many events waited"];

describe.each(casesOf(analysed, inShort))("reads of a log that was analysed %s", (_state, before) => {
  describe.each(isLong ? ["analyze", "vacuum analyze"] : ["vacuum analyze"])("statistics of %s", (command) => {
    let own: TestDatabase;
    let made: { endpointId: string };
    beforeAll(async () => {
      own = await createTestDatabase();
      const { sql } = own;
      const former = await putEndpoint(sql, { url: "https://receiver.example/" });
      await before(sql);
      await sql.unsafe(`${command} event_deliveries`);
      await sql`delete from event_endpoints where id = ${former.endpointId}`;
      made = await putEndpoint(sql, { url: "https://receiver.example/" });
      await fill(sql);
    });
    afterAll(() => own.close());

    test.each(["force_custom_plan", "force_generic_plan"] as const)(
      "a search for a new endpoint and its due events reads fewer than 20 rows for each event, with %s",
      async (mode) => {
        const counter = createReadCounter(own.url, mode);
        const keys = laneCount * keysPerLane;
        let found: number[] = [];
        const read = await counter.rowsRead(async (sql) => {
          const places = await listDueEndpoints(sql, { holder, limit: 100 });
          const messages = await listDueMessages(sql, {
            ...{ endpointId: made.endpointId, lanes, exceptKeys: [], keysPerLane, messagesPerKey: eventsEach },
          });
          found = [places.length, new Set(messages.map(({ orderKey }) => orderKey)).size];
        });
        await counter.close();

        expect(found).toEqual([1, keys]);
        expect(read).toBeLessThan(20 * keys * eventsEach);
      },
    );
  });
});
