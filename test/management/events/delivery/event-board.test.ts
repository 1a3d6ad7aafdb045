import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type EventDispatch, startEventDispatch } from "../../../../src/management/events/delivery/dispatch.ts";
import { createOutageWatch } from "../../../../src/platform/database/outages/outage-watch.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { createTestBoard, type TestBoard } from "../../../support/board.ts";
import { putAnswer, putEndpoint, type Receiver, startReceiver, testSecrets } from "../../../support/events.ts";
import { outsideFetch } from "../../../support/outside.ts";

let board: TestBoard;
let receiver: Receiver;
let endpointId: string;
let dispatch: EventDispatch;
let status = 200;

beforeAll(async () => {
  board = await createTestBoard();
  receiver = await startReceiver(() => status);
  const { sql } = board.api.deps;
  const log = createLog("silent");
  const parts = { sql, log, safeFetch: outsideFetch(), secrets: testSecrets, outage: createOutageWatch(sql, log) };
  dispatch = startEventDispatch(parts);
});
afterAll(async () => {
  await dispatch.stop();
  await receiver.close();
  await board.close();
});
afterEach(async () => {
  await board.api.deps.sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

async function cause(answered: number): Promise<string> {
  status = answered;
  const { sql } = board.api.deps;
  ({ endpointId } = await putEndpoint(sql, { url: receiver.url() }));
  const id = await putAnswer(sql, { endpointId, sessionId: newId(), content: "what a visitor wrote" });
  dispatch.wake();
  return id;
}

const actOn = (id: string, action: string) => board.call("PUT", `/queues/events/${id}/${action}`);

test("a failed delivery is delayed until its next attempt", async () => {
  const id = await cause(500);

  const job = await board.jobIn("delayed", "events", id);

  expect(job).toMatchObject({
    name: "result.answered",
    attempts: 1,
    failedReason: "The receiver responded with status 500",
    isFailed: true,
    data: { endpointId },
  });
  expect(JSON.stringify(job)).not.toContain("what a visitor wrote");
  expect(await board.counts("events")).toMatchObject({ delayed: 1, completed: 0, failed: 0, waiting: 0 });
  const logs = await board.call("GET", `/queues/events/${id}/logs`);
  expect(JSON.stringify(logs.at(""))).toMatch(/Attempt 1 failed: The receiver responded.*Will be tried/);
});

test("a delivery without further attempts is marked as failed", async () => {
  const id = await cause(500);
  await board.jobIn("delayed", "events", id);
  await board.api.deps.sql`update event_deliveries set give_up_at = clock(), next_attempt_at = clock()`;
  await board.api.deps.sql`update event_endpoints set paused_until = null`;
  dispatch.wake();

  await board.jobIn("failed", "events", id);
  expect(await board.counts("events")).toMatchObject({ delayed: 0, completed: 0, failed: 1, waiting: 0 });
  status = 200;
  await actOn(id, "retry");
  dispatch.wake();

  expect(await board.jobIn("completed", "events", id)).toMatchObject({ failedReason: "", isFailed: false });
  expect((await actOn(id, "retry")).at("code")).toBe("job.not_possible");
});

test("all delayed or failed deliveries can be made due at once", async () => {
  const first = await cause(500);
  await board.jobIn("delayed", "events", first);
  status = 200;
  await board.call("PUT", "/queues/events/promote");
  dispatch.wake();
  await board.jobIn("completed", "events", first);
  await board.api.deps.sql`update event_deliveries set status = 'failed'`;

  await board.call("PUT", "/queues/events/retry/failed");
  dispatch.wake();

  await board.jobIn("completed", "events", first);
});

test("deliveries of one state are listed in pages, newest first", async () => {
  const id = await cause(500);
  await board.jobIn("delayed", "events", id);
  const later = [];
  for (const content of ["two", "three"]) {
    // Deliveries of the same millisecond have no defined order.
    await board.api.deps.sql`update event_deliveries set created_at = created_at - interval '1 second'`;
    later.push(await putAnswer(board.api.deps.sql, { endpointId, sessionId: newId(), content }));
  }
  await board.api.deps.sql`update event_deliveries set next_attempt_at = clock() + interval '1 hour'`;
  const page = (number: string) =>
    board.call("GET", "/queues", {
      query: { activeQueue: "events", status: "delayed", page: number, jobsPerPage: "2" },
    });

  expect((await page("1")).at("queues.1.jobs.*.id")).toEqual(later.toReversed());
  expect((await page("2")).at("queues.1.jobs.*.id")).toEqual([id]);
});

test("an operation that is not possible for a delivery is rejected", async () => {
  const id = await cause(500);
  await board.jobIn("delayed", "events", id);
  await board.api.deps.sql`update event_endpoints set is_enabled = false`;
  const refused = async (method: string, path: string, body?: object) =>
    (await board.call(method, `/queues/events${path}`, body && { body })).at("message");

  expect(await refused("PUT", `/${id}/promote`)).toStartWith("The endpoint is disabled");
  expect(await refused("PUT", `/${id}/clean`)).toStartWith("Events are removed together with their results");
  expect(await refused("PUT", "/empty")).toStartWith("Events are removed together with their results");
  expect(await refused("POST", "/add", { name: "events", data: {}, options: {} })).toStartWith(
    "Only chats create events",
  );
  expect((await board.call("GET", `/queues/events/${newId()}`)).at("code")).toBe("job.not_found");
  expect((await board.call("GET", "/queues/events/nonsense/logs")).at("code")).toBe("job.not_found");
});

test("a new delivery waits while the queue is paused", async () => {
  await board.call("PUT", "/queues/events/pause");
  const id = await cause(200);

  expect(await board.jobIn("waiting", "events", id)).toMatchObject({ attempts: 0, failedReason: "" });
  await board.call("PUT", "/queues/events/resume");
});
