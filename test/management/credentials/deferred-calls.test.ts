import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { DeferredCall } from "../../../src/core/interpreter/program/job.ts";
import { FailedCall, type OutgoingRequest, type SafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { eraseResults } from "../../../src/management/row-erasure/erasure.sql.ts";
import { newId, newIdAfter } from "../../../src/platform/ids.ts";
import { queues } from "../../../src/platform/queue/queues.ts";
import { credentialsPlace } from "../../../src/platform/secrets.ts";
import type { Jobs } from "../../../src/service/jobs.ts";
import { testSecrets } from "../../support/events.ts";
import { createTestQueue, startTestJobs, type TestQueue } from "../../support/queue.ts";
import { putResult } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

const key = "segment-write-key-4711";

let tested: TestQueue;
let workspaceId: string;
let botId: string;
let resultId: string;
let credentialsId: string;
const started: Jobs[] = [];

beforeAll(async () => {
  tested = await createTestQueue();
});
afterAll(() => tested.close());
beforeEach(async () => {
  [workspaceId, botId] = [newId(), newId()];
  await tested.sql`insert into workspaces (id, name) values (${workspaceId}, 'W')`;
  await tested.sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings)
    values (${botId}, ${workspaceId}, '6', 'B', '[]', '[]', '[]', '{}', '{}')`;
  ({ resultId } = await putResult(tested.sql, botId));
  credentialsId = await putCredentials("segment");
});
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
  await tested.clear();
  await tested.sql`truncate outbox, deferred_calls`;
});

async function putCredentials(type: string): Promise<string> {
  const id = newId();
  const sealed = await testSecrets.seal(JSON.stringify({ apiKey: key }), credentialsPlace(id));
  await tested.sql`
    insert into credentials (id, workspace_id, type, name, sealed, hint)
    values (${id}, ${workspaceId}, ${type}, 'C', ${sealed}, '{}')`;
  return id;
}

type Answer = { readonly status: number; readonly text: string } | FailedCall;

const accepted: Answer = { status: 200, text: '{"success":true}' };

function serviceThat(...answers: readonly Answer[]) {
  const left = [...answers];
  const requests: OutgoingRequest[] = [];
  const safeFetch: SafeFetch = async (request) => {
    requests.push(request);
    const answer = left.shift() ?? accepted;
    if (answer instanceof FailedCall) throw answer;
    return answer;
  };
  const eventsOf = ({ body = "" }: OutgoingRequest): { event: string; messageId: string }[] => JSON.parse(body).batch;
  return { safeFetch, requests, sent: () => requests.map(eventsOf) };
}

async function start({ safeFetch }: { safeFetch: SafeFetch }): Promise<Jobs> {
  const mailer = { send: async () => ({ kind: "sent" }) as const };
  const jobs = await startTestJobs(tested, mailer, undefined, { safeFetch });
  started.push(jobs);
  return jobs;
}

let lastId: string | undefined;

async function putCall(event: string, call: Partial<DeferredCall> = {}): Promise<string> {
  lastId = lastId === undefined ? newId() : newIdAfter(lastId);
  const id = lastId;
  const content = { type: "track", userId: "u", event };
  const data: DeferredCall = { type: "segment", credentialsId, blockId: "b", content, resultId, botId, ...call };
  await tested.sql`
    insert into outbox (id, queue, data)
    values (${id}, 'calls', ${JSON.stringify(data)}::text::json)`;
  return id;
}

const untilQuiet = () =>
  waitFor(async () => {
    const rows = await tested.sql`select from outbox`;
    const jobs = await tested.jobs("calls");
    return rows.length === 0 && jobs.every(({ state }) => state === "completed" || state === "failed");
  });
const untilRetried = () =>
  waitFor(async () => {
    const jobs = await tested.jobs("calls");
    return jobs.length > 0 && jobs.every(({ state }) => state === "retry") && jobs;
  });
const calls = () => tested.sql`select from deferred_calls`;
const logs = async () => {
  const found = await tested.sql`
    select status, description, details, context, reason, block_id
    from logs
    where bot_id = ${botId} and description <> 'A note'`;
  return [...found];
};
const context = "While sending an event to Segment";
const success = { status: "success", description: "Event sent to Segment", details: null, context, reason: null };

test("a deferred call is sent with its key and logged once", async () => {
  const id = await putCall("first");
  const service = serviceThat();

  await start(service);
  await untilQuiet();

  expect(service.requests).toMatchObject([
    {
      url: "https://api.segment.io/v1/batch",
      method: "POST",
      redirect: "manual",
      hops: { workspaceId },
    },
  ]);
  expect(Object.fromEntries(service.requests[0]?.headers ?? [])).toEqual({
    "Content-Type": "application/json",
    Authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
  });
  expect(service.sent()).toMatchObject([[{ event: "first", messageId: id }]]);
  expect(await logs()).toEqual([{ ...success, blockId: "b" }]);
  expect(await calls()).toHaveLength(0);
});

test("the rejection of a key is stored as the last problem of its credentials", async () => {
  const problem = async () =>
    (await tested.sql`select last_problem from credentials where id = ${credentialsId}`)[0]?.["lastProblem"];
  await putCall("first");
  await putCall("second", { credentialsId: await putCredentials("segment") });
  const refused = (status: number) => ({ status, text: JSON.stringify({ message: `Refused: ${key}` }) });
  const safeFetch: SafeFetch = async ({ body = "" }) => refused(body.includes("first") ? 401 : 403);

  await start({ safeFetch });
  await untilRetried();

  expect(await problem()).toBe("Segment answered 401: Refused: •••");
  expect([...(await tested.sql`select from credentials where last_problem is not null`)]).toHaveLength(1);
});

test("the queue contains only ids, and no text of a visitor", async () => {
  const id = await putCall("private");
  await start(serviceThat());
  await untilQuiet();
  expect((await tested.jobs("calls")).map(({ data }) => data)).toEqual([{ callId: id, botId }]);
});

test("calls of one account are sent in batches of at most 50, in their order", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `event ${index}`);
  for (const name of names) await putCall(name);
  const service = serviceThat();

  await start(service);
  await untilQuiet();

  expect(service.sent().map((events) => events.length)).toEqual([50, 10]);
  expect(service.sent().flatMap((events) => events.map(({ event }) => event))).toEqual(names);
  expect(await logs()).toHaveLength(60);
});

test("a batch of deferred calls contains at most 500 KB", async () => {
  const content = { type: "track", userId: "u", properties: { text: "x".repeat(30_000) } };
  for (let index = 0; index < 20; index++) await putCall("large", { content });
  const service = serviceThat();

  await start(service);
  await untilQuiet();

  for (const { body = "" } of service.requests) expect(Buffer.byteLength(body)).toBeLessThan(512_000);
  expect(service.sent().map((events) => events.length)).toEqual([16, 4]);
});

test("a call that fails temporarily is retried under the same id", async () => {
  const id = await putCall("busy");
  const service = serviceThat({ status: 503, text: "" });
  const jobs = await start(service);

  await untilRetried();
  expect(await logs()).toEqual([]);
  await tested.makeDue("calls", (await tested.jobs("calls"))[0]?.id ?? "");
  jobs.wake();
  await untilQuiet();

  expect(service.sent().map(([event]) => event?.messageId)).toEqual([id, id]);
  expect(await logs()).toMatchObject([{ status: "success" }]);
});

test.each<[string, Answer, string]>([
  ["no response", new FailedCall("network", `No connection for ${key}`), "http.unanswered"],
  ["a refused key", { status: 401, text: `{"error":{"message":"bad key ${key}"}}` }, "http.401"],
  ["too many requests", { status: 429, text: "" }, "http.429"],
  ["a page with status 200", { status: 200, text: "<html>Log in</html>" }, "http.200"],
  ["truncated JSON", { status: 200, text: '{"succ' }, "http.200"],
  ["a redirect", { status: 302, text: "" }, "http.302"],
])(
  "a call whose last attempt ends with %s is logged without the key, and becomes a dead letter",
  async (_, answer, reason) => {
    await putCall("never");
    const service = serviceThat(answer, answer);
    const jobs = await start(service);

    const [job] = await untilRetried();
    expect(job?.retryLimit).toBe(queues.calls.retryLimit);
    await tested.queue.boss.update("calls", undefined, { id: job?.id ?? "", retryLimit: 1, startAfter: 0 });
    jobs.wake();
    await untilQuiet();

    expect(service.requests).toHaveLength(2);
    const said = await logs();
    expect(said).toMatchObject([{ status: "error", description: "Event not sent to Segment", context, reason }]);
    expect(JSON.stringify([said, await tested.jobs("calls")])).not.toContain(key);
    expect(await tested.jobs("calls-dead")).toMatchObject([{ sourceName: "calls", data: { botId } }]);
    expect(await calls()).toHaveLength(1);
  },
);

test("an event that the service rejects does not delay other events", async () => {
  for (const name of ["a", "b", "bad", "c"]) await putCall(name);
  const requests: string[][] = [];
  const safeFetch: SafeFetch = async ({ body = "" }) => {
    const names: string[] = JSON.parse(body).batch.map(({ event }: { event: string }) => event);
    requests.push(names);
    return names.includes("bad") ? { status: 400, text: '{"message":"Not an event"}' } : accepted;
  };

  await start({ safeFetch });
  await untilQuiet();

  expect(requests).toEqual([["a", "b", "bad", "c"], ["a", "b"], ["bad", "c"], ["bad"], ["c"]]);
  expect((await logs()).map(({ status }) => status).toSorted()).toEqual(["error", "success", "success", "success"]);
  expect(await logs()).toContainEqual(
    expect.objectContaining({ details: "Segment answered 400: Not an event", reason: "http.400" }),
  );
  // The jobs outlive an erasure of the result, so their output does not quote the service.
  const messages = (await tested.jobs("calls")).map(({ output }) => Object(output).message);
  expect(messages.toSorted()).toEqual([
    "Delivered to the service",
    "Delivered to the service",
    "Delivered to the service",
    "Event not sent to Segment: http.400",
  ]);
});

test("no call is made with missing or unsuitable credentials", async () => {
  const smtp = await putCredentials("smtp");
  const own = workspaceId;
  workspaceId = newId();
  await tested.sql`insert into workspaces (id, name) values (${workspaceId}, 'Theirs')`;
  const theirs = await putCredentials("segment");
  workspaceId = own;
  for (const id of [smtp, theirs, newId(), "no id"]) await putCall("x", { credentialsId: id });
  const service = serviceThat();

  await start(service);
  await untilQuiet();

  expect(service.requests).toEqual([]);
  const description = "Could not find credentials for block segment";
  expect(await logs()).toMatchObject(Array(4).fill({ status: "error", description, reason: "credentials" }));
});

test("a hanging call of one account does not delay the calls of another account", async () => {
  const other = await putCredentials("segment");
  await putCall("hangs");
  await putCall("passes", { credentialsId: other });
  const hanging = Promise.withResolvers<{ status: number; text: string }>();
  const safeFetch: SafeFetch = async ({ body = "" }) =>
    body.includes("hangs") ? hanging.promise : { status: 200, text: '{"success":true}' };

  await start({ safeFetch });

  await waitFor(async () => (await logs()).length === 1);
  hanging.resolve({ status: 200, text: '{"success":true}' });
  await untilQuiet();
  expect(await logs()).toHaveLength(2);
});

test("a call is deleted and not retried after its result is erased", async () => {
  await putCall("erased");
  const service = serviceThat({ status: 503, text: "" });
  const jobs = await start(service);
  await untilRetried();

  await eraseResults(tested.sql, { botId, resultIds: [resultId] });
  expect(await calls()).toHaveLength(0);
  await tested.makeDue("calls", (await tested.jobs("calls"))[0]?.id ?? "");
  jobs.wake();
  await untilQuiet();

  expect(service.requests).toHaveLength(1);
});

test("a call stored during the erasure of its result is not sent", async () => {
  await putCall("late");
  await tested.sql`update results set is_archived = true where id = ${resultId}`;
  const service = serviceThat();

  await start(service);
  await untilQuiet();

  expect(service.requests).toEqual([]);
  expect(await calls()).toHaveLength(0);
  expect(await logs()).toEqual([]);
});

test("a call to an unsupported service is kept and retried later", async () => {
  await putCall("new", { type: "of a newer release" });
  await start(serviceThat());
  await untilRetried();
  expect(await calls()).toHaveLength(1);
});
