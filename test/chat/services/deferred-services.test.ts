import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { valueAt } from "../../../src/core/interpreter/flow.ts";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { openQueue, type Queue } from "../../../src/platform/queue/queue.sql.ts";
import type { Jobs } from "../../../src/service/jobs.ts";
import { type FakeBlink, startFakeBlink } from "../../fake-providers/blink.ts";
import { type FakeProvider, type Fault, providerUrls } from "../../fake-providers/kit.ts";
import { type FakePosthog, startFakePosthog } from "../../fake-providers/posthog.ts";
import { type FakeSegment, startFakeSegment } from "../../fake-providers/segment.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { isLong } from "../../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { startTestJobs } from "../../support/queue.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

const key = "planted-analytics-key-4711";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let segment: FakeSegment;
let posthog: FakePosthog;
let blink: FakeBlink;
let queue: Queue;
let jobs: Jobs;
const accounts = new Map<string, string>();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  [segment, posthog, blink] = await Promise.all([startFakeSegment(), startFakePosthog(), startFakeBlink()]);
  const config = { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([segment, posthog, blink]) };
  api = await createTestApi({ threads, config, onJobs: () => jobs.wake() });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  for (const type of ["segment", "posthog", "blink"]) {
    const answer = await api.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
      token: owner.token,
      body: { type, name: type, data: { apiKey: key } },
    });
    accounts.set(type, answer.text("credentials.id"));
  }
  queue = await openQueue({ url: api.databaseUrl, log: createLog("silent") });
  const mailer = { send: async () => ({ kind: "sent" }) as const };
  jobs = await startTestJobs({ sql: api.deps.sql, queue }, mailer, undefined, api.deps);
});
afterAll(async () => {
  await jobs.stop();
  await queue.stop();
  await threads.close();
  await api.close();
  await Promise.all([segment, posthog, blink].map(({ close }) => close()));
});
afterEach(async () => {
  for (const fake of [segment, posthog, blink]) fake.recover();
  await queue.boss.deleteAllJobs("calls");
  await api.deps.sql`truncate outbox, deferred_calls`;
});

type Options = { readonly type: string; readonly [option: string]: unknown };

function published(blocks: readonly Options[]) {
  const acting = blocks.map(({ type, ...options }, index) => ({
    id: idOf(`call ${index}`),
    type,
    options: { credentialsId: accounts.get(type), ...options },
  }));
  const flow = flowOf([asks("text input", { variableId: idOf("Name") }), ...acting, says("Thanks")]);
  return publish(api.client, { token: owner.token, workspaceId }, flow);
}

async function chatted(blocks: readonly Options[], name = "Ana") {
  const { botId, publicId } = await published(blocks);
  const started = await start(api.client, publicId);
  const answer = await say(api.client, started.text("sessionId"), name);
  const path = `/api/v1/bots/${botId}/results/${started.text("resultId")}/logs`;
  const logs = async () => (await api.client.get(path, { token: owner.token })).at("logs");
  return { answer, logs };
}

function untilLogged(logs: () => Promise<unknown>, count: number): Promise<unknown[]> {
  return waitFor(async () => {
    const found = await logs();
    return Array.isArray(found) && found.length === count && found;
  });
}

/** Waits for the first attempt of the failing call, and makes the next attempt the last. */
async function untilGivenUp(): Promise<void> {
  const job = await waitFor(async () => (await queue.boss.findJobs("calls")).find(({ state }) => state === "retry"));
  await queue.boss.update("calls", undefined, { id: job.id, retryLimit: 1, startAfter: 0 });
  jobs.wake();
  await waitFor(async () => (await queue.boss.findJobs("calls")).every(({ state }) => state === "failed"));
}

/** Throws if a call was queued since the previous test, even if it was already made. */
async function expectNothingQueued(): Promise<void> {
  const { sql } = api.deps;
  const stored = [await sql`select from outbox`, await sql`select from deferred_calls`];
  expect([...stored.map(({ length }) => length), (await queue.boss.findJobs("calls")).length]).toEqual([0, 0, 0]);
}

const track = { type: "segment", action: "Track", eventName: "Order placed", userId: "{{Name}}" };
const capture = { type: "posthog", action: "Capture", event: "order placed", distinctId: "{{Name}}" };
const feed = {
  ...{ type: "blink", action: "Send Feed Event", category: "news", userIds: "u-1, {{Name}},", groupIds: "g-1" },
  ...{ ribbonColor: "#fa5655", sections: [{ type: "Header", title: "New: {{Name}}" }] },
};
const properties = [
  { id: "1", key: "plan", value: "Team {{Name}}" },
  { id: "2", key: "", value: "unnamed" },
  { id: "3", key: "empty", value: "{{Email}}" },
];

describe("an event of Segment", () => {
  test.each([
    [
      { ...track, properties },
      { type: "track", userId: "Ana", event: "Order placed", properties: { plan: "Team Ana" } },
    ],
    [
      { type: "segment", action: "Identify User", userId: "{{Name}}", email: "{{Name}}@b.co", traits: properties },
      { type: "identify", userId: "Ana", traits: { email: "Ana@b.co", plan: "Team Ana" } },
    ],
    [
      { type: "segment", action: "Page", userId: "u", name: "{{Name}}", category: "Docs", properties },
      { type: "page", userId: "u", name: "Ana", category: "Docs", properties: { plan: "Team Ana" } },
    ],
    [
      { type: "segment", action: "Alias", userId: "{{Name}}", previousId: "anonymous" },
      { type: "alias", userId: "Ana", previousId: "anonymous" },
    ],
  ])("an event of Segment is sent for the options %o", async (options, event) => {
    const before = segment.events.length;

    const { answer, logs } = await chatted([options]);

    expect(answer.at("messages.*.content.plainText")).toEqual(["Thanks"]);
    expect(await untilLogged(logs, 1)).toMatchObject([{ status: "success", description: "Event sent to Segment" }]);
    const { messageId, timestamp, ...sent } = segment.events.at(-1) ?? {};
    expect(segment.events).toHaveLength(before + 1);
    expect(sent).toEqual(event);
    expect(Date.parse(String(timestamp))).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(messageId).toBeString();
  });

  test("a Segment event that is sent twice is stored once", async () => {
    const before = segment.events.length;
    segment.fail("cut");
    const { logs } = await chatted([track]);
    const job = await waitFor(async () => (await queue.boss.findJobs("calls")).find(({ state }) => state === "retry"));

    await queue.boss.update("calls", undefined, { id: job.id, startAfter: 0 });
    jobs.wake();

    expect(await untilLogged(logs, 1)).toMatchObject([{ status: "success" }]);
    const [first, second] = segment.asked.slice(-2).map(({ text }) => JSON.parse(text).batch[0].messageId);
    expect(first).toBeString();
    expect(second).toBe(first);
    expect(segment.events).toHaveLength(before + 1);
  });
});

describe("an event of PostHog", () => {
  test.each([
    [
      {
        ...capture,
        properties,
        personProperties: [{ key: "name", value: "{{Name}}" }],
        groups: [{ key: "company", value: "Acme" }],
      },
      { distinct_id: "Ana", plan: "Team Ana", $set: { name: "Ana" }, $groups: { company: "Acme" } },
    ],
    [
      { ...capture, isAnonymous: true },
      { distinct_id: "Ana", $process_person_profile: false },
    ],
    [
      { type: "posthog", action: "Identify Group", groupType: "company", groupKey: "{{Name}} Ltd", properties },
      {
        distinct_id: "$company_Ana Ltd",
        $group_type: "company",
        $group_key: "Ana Ltd",
        $group_set: { plan: "Team Ana" },
      },
    ],
  ])("an event of PostHog is sent for the options %o", async (options, sent) => {
    const { logs } = await chatted([options]);

    expect(await untilLogged(logs, 1)).toMatchObject([{ status: "success", description: "Event sent to PostHog" }]);
    expect(posthog.events.at(-1)).toMatchObject({
      event: options.action === "Capture" ? "order placed" : "$groupidentify",
      properties: sent,
    });
  });

  test("an anonymous event has its own distinct id and no person profile", async () => {
    const { logs } = await chatted([{ ...capture, distinctId: "", isAnonymous: true }]);
    await untilLogged(logs, 1);
    const { uuid, properties: sent } = posthog.events.at(-1) ?? {};
    expect(sent).toEqual({ distinct_id: String(uuid), $process_person_profile: false });
  });
});

describe("an event for the feed of Blink", () => {
  test("an event for Blink's feed contains only complete sections", async () => {
    const sections = [
      ...feed.sections,
      { text: "{{Name}} was here" },
      { type: "Labelled text", title: "Ward", text: "4" },
      { type: "Image", url: "https://www.example.com/a.png" },
      { type: "Link", title: "Rota", url: "https://www.example.com/rota" },
      { type: "Button", title: "Open", url: "https://www.example.com/?a=ü" },
      ...[{ type: "Button", title: "No address" }, { type: "Header" }, { text: "{{Email}}" }, { body: "strange" }],
    ];
    const { logs } = await chatted([{ ...feed, sections }]);

    expect(await untilLogged(logs, 1)).toMatchObject([{ status: "success", description: "Event sent to Blink" }]);
    const { body, external_id, ...event } = blink.events.at(-1) ?? {};
    expect(event).toEqual({ category: "news", user_ids: ["u-1", "Ana"], group_ids: ["g-1"] });
    expect(external_id).toBeString();
    const opens = encodeURIComponent(Buffer.from("https://www.example.com/?a=ü").toString("base64"));
    expect(JSON.parse(String(body))).toEqual({
      ribbon_color: "#fa5655",
      sections: [
        { type: "header", title: "New: Ana" },
        { type: "text", value: "Ana was here" },
        { type: "labelled_text", label: "Ward", value: "4" },
        { type: "image", image_url: "https://www.example.com/a.png" },
        { type: "link", title: "Rota", url: "https://www.example.com/rota" },
        { type: "buttons", data: [{ label: "Open", client_action: `blink:link?url=${opens}&action=open` }] },
      ],
    });
  });

  test("an event for Blink's feed is sent again under the same external id", async () => {
    blink.fail("500");
    const { logs } = await chatted([feed]);
    const job = await waitFor(async () => (await queue.boss.findJobs("calls")).find(({ state }) => state === "retry"));
    await queue.boss.update("calls", undefined, { id: job.id, startAfter: 0 });
    jobs.wake();
    expect(await untilLogged(logs, 1)).toMatchObject([{ status: "success" }]);
    const ids = blink.asked.slice(-2).map(({ json }) => json["external_id"]);
    expect(new Set(ids).size).toBe(1);
  });
});

// The visitor reads the same text in each case. A hanging call is tested in
// test/management/credentials/deferred-calls.test.ts.
const failures: readonly (readonly [Fault, string])[] = [
  ["401", " answered 401: Refused with 401: "],
  ["403", " answered 403: Refused with 403: "],
  ["429", " answered 429: Refused with 429: "],
  ["500", " answered 500: Refused with 500: "],
  ["malformed", " answered 200: its response cannot be read"],
  ["html", " answered 200: its response cannot be read"],
  ["cut", ""],
];

/**
 * The cases of a short run. They cover each service, and three kinds of failures: a rejection, an unreadable response,
 * and a broken connection.
 */
const inShort = ["Segment 500", "Segment malformed", "PostHog cut", "PostHog 401", "Blink 429"];

describe.each([
  ["Segment", track, () => segment],
  ["PostHog", capture, () => posthog],
  ["Blink", feed, () => blink],
] as const)("a failing call to %s", (name, options, fake: () => FakeProvider) => {
  test.each(failures.filter(([fault]) => isLong || inShort.includes(`${name} ${fault}`)))(
    "a chat continues after the fault %s of a deferred call, and the log contains the reason without the key",
    async (fault, details) => {
      fake().fail(fault, { times: 2 });

      const { answer, logs } = await chatted([options]);
      await untilGivenUp();

      expect(answer.at("messages.*.content.plainText")).toEqual(["Thanks"]);
      const [log] = await untilLogged(logs, 1);
      expect(log).toMatchObject({ status: "error", description: `Event not sent to ${name}` });
      expect(String(valueAt(log, "details"))).toContain(details === "" ? "" : `${name}${details}`);
      const stored = await api.deps.sql`select * from logs, job_logs`;
      expect(JSON.stringify([log, [...stored], await queue.boss.findJobs("calls-dead")])).not.toContain(key);
      expect(JSON.stringify(stored)).not.toContain(Buffer.from(`${key}:`).toString("base64"));
    },
  );

  test("an event that a service rejects with 404 is not retried", async () => {
    fake().fail("404");
    const before = fake().asked.length;
    const { logs } = await chatted([options]);
    expect(await untilLogged(logs, 1)).toMatchObject([{ status: "error" }]);
    expect(fake().asked).toHaveLength(before + 1);
  });
});

describe("an incomplete event", () => {
  test.each([
    ["without a user", { ...track, userId: "{{Email}}" }, "The event has no user id"],
    ["without a name", { ...track, eventName: "" }, "The event has no name"],
    ["without a previous id", { type: "segment", action: "Alias", userId: "u" }, "The event has no previous id"],
    ["without a distinct id", { ...capture, distinctId: "" }, "The event has no distinct id"],
    ["without a category", { ...feed, category: " " }, "The event has no category"],
    ["without a section", { ...feed, sections: [{ type: "Header" }] }, "The card has no section"],
    ["without a reader", { ...feed, userIds: " , ", groupIds: "" }, "The event has no users and no teams"],
    ["with a blank name", { ...capture, event: " " }, "The event has no name"],
    [
      "without a group",
      { type: "posthog", action: "Identify Group", groupType: "company" },
      "The group has no type or no key",
    ],
    [
      "that is too large",
      { ...track, properties: [{ key: "x", value: "x".repeat(limits.deferredCalls.bytes) }] },
      "The call is larger than 32 KB",
    ],
  ])("an event %s is not queued", async (_, options, details) => {
    const { answer, logs } = await chatted([options]);
    expect(answer.at("messages.*.content.plainText")).toEqual(["Thanks"]);
    expect(await untilLogged(logs, 1)).toMatchObject([{ status: "error", details }]);
    await expectNothingQueued();
  });

  test("an event without an account of its workspace is logged and not sent", async () => {
    const before = segment.asked.length;
    const elsewhere = await api.makeWorkspace(owner);
    const foreign = await api.client.post(`/api/v1/workspaces/${elsewhere}/credentials`, {
      token: owner.token,
      body: { type: "segment", name: "Theirs", data: { apiKey: key } },
    });
    const { logs } = await chatted([
      { ...track, credentialsId: "" },
      { ...track, credentialsId: newId() },
      { ...track, credentialsId: foreign.text("credentials.id") },
    ]);
    const description = "Could not find credentials for block segment";
    expect(await untilLogged(logs, 3)).toMatchObject(Array(3).fill({ status: "error", description }));
    expect(segment.asked).toHaveLength(before);
  });

  test("a step sends at most twenty events, and logs the surplus", async () => {
    const most = limits.deferredCalls.perStep;
    const { logs } = await chatted(Array.from({ length: most + 2 }, () => track));
    const entries = await untilLogged(logs, most + 2);
    const left = entries.filter((entry) => valueAt(entry, "details") === "A step can make at most 20 such calls");
    expect(left).toHaveLength(2);
  });

  test("a preview queues no event", async () => {
    const { botId } = await published([track, capture, feed]);
    const { token } = owner;
    const started = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { token, body: {} });
    const answer = await say(api.client, started.text("sessionId"), "Ana");
    expect(answer.at("logs.*.description")).toEqual([
      "Segment is not called in preview mode",
      "PostHog is not called in preview mode",
      "Blink is not called in preview mode",
    ]);
    await expectNothingQueued();
  });
});
