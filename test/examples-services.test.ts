import { afterAll, beforeAll, expect, test } from "bun:test";
import { valueAt } from "../src/core/interpreter/flow.ts";
import { createLog } from "../src/platform/observing/log.ts";
import { openQueue, type Queue } from "../src/platform/queue/queue.sql.ts";
import type { Jobs } from "../src/service/jobs.ts";
import { startExamples } from "./fake-providers/examples.ts";
import { ownClient, person, serviceAccount } from "./fake-providers/google/accounts.ts";
import { createTestApi, type TestApi, type TestUser } from "./support/api.ts";
import { flowOf, publish, says, start } from "./support/chat.ts";
import { testKey } from "./support/events.ts";
import { startTestJobs } from "./support/queue.ts";
import { createThreads, type Threads } from "./support/threads.ts";
import { readText } from "./support/tidy/project.ts";
import { waitFor } from "./support/wait.ts";

// Runs the blocks of the pages about services, exactly as documented, against the providers of `npm run
// fake-providers`.

type Block = { readonly type: string; readonly options: Readonly<Record<string, unknown>> };

const pages = ["integrations", "tables", "payments"].map((name) => `docs/${name}.md`);
const examples = pages.flatMap((page) =>
  [...readText(page).matchAll(/^ *```json\n([\s\S]*?)^ *```/gm)].map(([, json = ""]): [string, Block] => {
    const block: Block = JSON.parse(json);
    return [`${page}: ${block.type} ${block.options["action"] ?? ""}`, block];
  }),
);

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let queue: Queue;
let jobs: Jobs;
let providers: Awaited<ReturnType<typeof startExamples>>;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  providers = await startExamples();
  const config = {
    ...{ ENCRYPTION_KEY: testKey, PROVIDER_URLS: providers.urls },
    ...{ GOOGLE_CLIENT_ID: ownClient.id, GOOGLE_CLIENT_SECRET: ownClient.secret },
  };
  api = await createTestApi({ threads, config, onJobs: () => jobs.wake() });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  queue = await openQueue({ url: api.databaseUrl, log: createLog("silent") });
  const mailer = { send: async () => ({ kind: "sent" }) as const };
  jobs = await startTestJobs({ sql: api.deps.sql, queue }, mailer, undefined, api.deps);
});
afterAll(async () => {
  await jobs.stop();
  await queue.stop();
  await threads.close();
  await api.close();
  await providers.close();
});

/**
 * Returns the type and the data of the credentials that a block needs, or undefined if it needs none. Fake providers
 * accept the key `any`.
 */
function accountOf(type: string): { readonly type: string; readonly data: object } | undefined {
  const { account, refreshToken } = person;
  const known: Readonly<Record<string, object>> = {
    "Google Sheets": serviceAccount,
    gmail: { account, refreshToken },
    zendesk: { conversationsKeyId: "app_1", conversationsSecretKey: "a-secret-that-signs-of-some-length" },
    "payment input": { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_1" },
    Webhook: { url: providers.proxy.origin, username: "ana", password: "any" },
    "dify-ai": { apiKey: "any", knowledgeApiKey: "any" },
    "address input": { url: providers.addressSearch, header: "X-Key", key: "any" },
  };
  const types: Readonly<Record<string, string>> = {
    ...{ "Google Sheets": "google sheets", "payment input": "stripe", Webhook: "http proxy" },
    "address input": "address-search",
  };
  if (type === "qr-code" || type === "cal-com") return undefined;
  return { type: types[type] ?? type, data: known[type] ?? { apiKey: "any" } };
}

const ids = new Map<string, string>();
async function credentialsFor(blockType: string): Promise<string> {
  const account = accountOf(blockType);
  if (!account) return "";
  const path = `/api/v1/workspaces/${workspaceId}/credentials`;
  const { token } = owner;
  const id =
    ids.get(account.type) ??
    (await api.client.post(path, { token, body: { ...account, name: blockType } })).text("credentials.id");
  ids.set(account.type, id);
  return id;
}

/** Blocks that store a visitor's booking or answer. */
const byVisitor = ["cal-com", "address input"];

/** The values of the variables in the examples. */
const prefilled = {
  ...{ Name: "Ana", Mail: "ana@example.com", Email: "ana@example.com", Question: "How much?", Plan: "Pro" },
  ...{ Ticket: "77", Company: "Ours", Number: "5", Manager: "u-1", "Customer number": "12" },
};

/** Returns the block with ids instead of `…`, and the variables that the block sets. */
function filled(json: string, credentialsId: string): { readonly block: Block; readonly writes: readonly string[] } {
  const writes: string[] = [];
  const block: Block = JSON.parse(json, (key, value) => {
    if (value !== "…") return value;
    if (/credentialsId$/i.test(key)) return credentialsId;
    if (!/variableId$/i.test(key)) return "some-id";
    writes.push(`written-${writes.length}`);
    return writes.at(-1);
  });
  return { block, writes };
}

test("the pages about services have an example of each listed block type", () => {
  expect([...new Set(examples.map(([, { type }]) => type))].sort()).toEqual(
    [
      ...[
        "address input",
        "blink",
        "cal-com",
        "chat-node",
        "dify-ai",
        "elevenlabs",
        "gmail",
        "Google Sheets",
        "nocodb",
      ],
      ...["payment input", "posthog", "qr-code", "segment", "Webhook", "zendesk"],
    ].sort(),
  );
});

test.each(examples)(
  "an example runs without errors, or continues after the failed call of an unreachable server: %s",
  async (_, example) => {
    const { block, writes } = filled(JSON.stringify(example), await credentialsFor(example.type));
    const names = [...Object.keys(prefilled), ...writes, "Thread"];
    const flow = {
      ...flowOf([{ id: "tried", ...block }, says("On")]),
      variables: names.map((name) => ({ id: name, name })),
    };
    const { token } = owner;
    const { botId, publicId } = await publish(api.client, { token, workspaceId }, flow);
    const asked = () => [...providers.providers, providers.proxy].reduce((sum, { asked }) => sum + asked.length, 0);
    const before = asked();
    const started = await start(api.client, publicId, { prefilledVariables: prefilled });
    const place = `/api/v1/bots/${botId}/results/${started.text("resultId")}`;
    const logs = async () =>
      (await api.client.get(`${place}/logs`, { token })).list("logs").map((entry) => Object(entry));

    if (example.type === "Webhook") {
      // Tests can only reach this machine. The target's name has no address, so the call fails and the flow continues.
      expect((await logs()).map(({ status }) => status)).toContain("error");
      expect(started.at("messages.*.content.plainText")).toEqual(["On"]);
      return;
    }
    const isCalled = !["qr-code", "zendesk", ...byVisitor].includes(example.type);
    if (isCalled) await waitFor(async () => asked() > before || undefined);
    const result = (await api.client.get(place, { token })).at("result.variables");
    const values = Array.isArray(result) ? result : [];
    const written = writes.filter((name) =>
      values.some((one) => valueAt(one, "name") === name && valueAt(one, "value")),
    );
    expect(written).toEqual(byVisitor.includes(example.type) ? [] : [...writes]);
    expect((await logs()).filter(({ status }) => status === "error")).toEqual([]);
    if (example.type === "payment input")
      expect(started.text("input.runtimeOptions.paymentIntentSecret")).toStartWith("pi_");
  },
);

test("proxy credentials accept only the configured local address", async () => {
  const path = `/api/v1/workspaces/${workspaceId}/credentials`;
  const kept = async (type: string, data: object) =>
    (await api.client.post(path, { token: owner.token, body: { type, name: "Ours", data } })).status;
  const { origin } = providers.proxy;
  expect(await kept("http proxy", { url: origin })).toBe(200);
  expect(await kept("http proxy", { url: providers.google.origin })).toBe(400);
  expect(await kept("nocodb", { apiKey: "any", baseUrl: origin })).toBe(400);
});

test("a credentials test accepts valid keys and rejects wrong keys", async () => {
  const outcomes = new Map<string, unknown[]>();
  for (const type of new Set(examples.map(([, one]) => one.type))) {
    const account = accountOf(type);
    if (!account) continue;
    const path = `/api/v1/workspaces/${workspaceId}/credentials`;
    const wrong = Object.entries(account.data).map(([key, value]) => [key, value === "any" ? "wrong-key" : value]);
    const isAccepted = async (data: object) => {
      const made = await api.client.post(path, { token: owner.token, body: { ...account, name: "Tried", data } });
      const tried = `${path}/${made.text("credentials.id")}/test`;
      return (await api.client.post(tried, { token: owner.token, body: {} })).at("test.isAccepted");
    };
    outcomes.set(account.type, [await isAccepted(account.data), await isAccepted(Object.fromEntries(wrong))]);
  }
  expect(Object.fromEntries(outcomes)).toMatchObject({
    ...{ "address-search": [true, false], "dify-ai": [true, false], elevenlabs: [true, false], nocodb: [true, false] },
    ...{ "google sheets": [true, true], gmail: [true, true], stripe: [true, true] },
    ...{ "chat-node": [null, null], segment: [null, null], posthog: [null, null], blink: [null, null] },
    ...{ zendesk: [null, null], "http proxy": [null, null] },
  });
});
