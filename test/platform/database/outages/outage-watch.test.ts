import { expect, test } from "bun:test";
import fc from "fast-check";
import { createOutageWatch } from "../../../../src/platform/database/outages/outage-watch.ts";
import { connect } from "../../../../src/platform/database/sql.ts";
import { createLog, type Log, type LogFacts } from "../../../../src/platform/observing/log.ts";
import { databaseError } from "../../../support/database-errors.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";

const outage = databaseError("53100", { message: "no room" });
const bug = databaseError("42601", { message: "syntax" });
const unused = connect("postgres://nobody@127.0.0.1:1/nothing", { connections: 1 });

/** Creates a watch over a database whose state the test sets. */
function createWatched() {
  const clock = createVirtualClock();
  const lines: { readonly message: string; readonly facts?: LogFacts | undefined; readonly at: number }[] = [];
  const note = (message: string, facts?: LogFacts): void => void lines.push({ message, facts, at: clock.now() });
  const log: Log = { ...createLog("silent"), info: note, warn: note, error: note };
  const database = { takesWrites: true, writes: 0 };
  const sql = new Proxy(unused, {
    apply() {
      database.writes++;
      return database.takesWrites ? Promise.resolve([]) : Promise.reject(outage);
    },
  });
  return { clock, lines, database, watch: createOutageWatch(sql, log, clock) };
}

const begin = "The database cannot be used";
const end = "The database can be used again";

test("an outage is logged once with its cause, and once with its end", async () => {
  const { clock, lines, database, watch } = createWatched();
  database.takesWrites = false;

  for (let second = 0; second < 60; second++) {
    watch.refused(outage);
    watch.failed(outage);
    await clock.advance(1_000);
  }
  database.takesWrites = true;
  await clock.advance(60_000);

  expect(lines).toEqual([
    { message: begin, facts: { cause: "its disk is full", error: "PostgresError: no room" }, at: 0 },
    { message: end, facts: { seconds: 61, refusedRequests: 60 }, at: 71_000 },
  ]);
  expect(clock.timers()).toBe(0);
});

test("failures of a third-party host do not start an outage", async () => {
  const { clock, lines, database, watch } = createWatched();
  const ofReceiver = Object.assign(new Error("getaddrinfo ENOTFOUND crm.example"), { code: "ENOTFOUND" });

  watch.failed(ofReceiver);
  expect(lines.splice(0)).toMatchObject([{ message: "Background work failed and will be retried" }]);
  database.takesWrites = false;
  watch.failed(outage);
  watch.failed(ofReceiver);
  database.takesWrites = true;
  for (let second = 0; second < 20; second++) {
    watch.refused(ofReceiver);
    await clock.advance(1_000);
  }

  const of = (message: string) => lines.filter((line) => line.message === message);
  expect(of(begin)).toMatchObject([{ facts: { cause: "its disk is full" } }]);
  expect(of(end)).toHaveLength(1);
});

const events = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("passes" as const), ms: fc.integer({ min: 1, max: 15_000 }) }),
    fc.record({
      kind: fc.constantFrom("refused" as const, "failed" as const, "breaks" as const, "is mended" as const),
    }),
  ),
  { maxLength: 60 },
);

test("starts and ends of outages alternate in the log", async () => {
  await fc.assert(
    fc.asyncProperty(events, async (given) => {
      const { clock, lines, database, watch } = createWatched();
      let refused = 0;
      let lastFailure = Number.NEGATIVE_INFINITY;
      for (const event of given) {
        const known = lines.length;
        if (event.kind === "passes") await clock.advance(event.ms);
        else if (event.kind === "breaks") database.takesWrites = false;
        else if (event.kind === "is mended") database.takesWrites = true;
        else watch[event.kind](outage);
        for (const { message, facts, at } of lines.slice(known)) {
          if (message === begin) refused = 0;
          else {
            expect(database.takesWrites).toBe(true);
            expect(at - lastFailure).toBeGreaterThanOrEqual(10_000);
            expect(facts?.["refusedRequests"]).toBe(refused);
          }
        }
        if (event.kind === "refused") refused++;
        if (event.kind === "refused" || event.kind === "failed") lastFailure = clock.now();
      }
      expect(lines.map(({ message }) => message)).toEqual(lines.map((_, index) => (index % 2 === 0 ? begin : end)));
      database.takesWrites = true;
      await clock.advance(30_000);
      expect(lines.length % 2).toBe(0);
      expect(clock.timers()).toBe(0);
    }),
  );
});

test("failures other than outages are logged only for background work", () => {
  const { lines, watch } = createWatched();

  watch.failed(bug);
  watch.refused(bug);
  watch.refused(undefined);

  expect(lines.map(({ message }) => message)).toEqual(["Background work failed and will be retried"]);
});

test("connections that this process closes are not an outage", async () => {
  const { clock, lines, watch } = createWatched();

  watch.refused(Object.assign(new Error("ended"), { code: "CONNECTION_ENDED" }));
  await clock.advance(60_000);

  expect(lines).toEqual([]);
});

test("a hundred concurrent checks test the database at most once a second", async () => {
  const { clock, database, watch } = createWatched();
  const askAll = () => Promise.allSettled(Array.from({ length: 100 }, watch.check));

  const first = await askAll();
  database.takesWrites = false;
  const cached = await askAll();
  await clock.advance(1_000);
  const later = await askAll();

  expect(database.writes).toBe(2);
  expect([first, cached, later].map(([verdict]) => verdict?.status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
});
