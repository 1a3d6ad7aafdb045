import { afterAll, beforeAll, expect, setDefaultTimeout } from "bun:test";
import { serviceAccount } from "../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../fake-providers/google/server.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import { cleanupStack, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const token = "the administrator of both nodes";
const cleanups = cleanupStack();
let fake: FakeGoogle;
let nodes: readonly { readonly node: Service; readonly client: Client }[];
let workspaceId: string;
let credentialsId: string;

if (isLong)
  beforeAll(async () => {
    fake = await startFakeGoogle();
    cleanups.add(() => fake.close());
    const database = await createTestDatabase();
    cleanups.add(database.close);
    nodes = await Promise.all(
      [1, 2].map(async () => {
        const environment = {
          DATABASE_URL: database.url,
          DATABASE_POOL: "6",
          DATA_DIR: cleanups.folder(),
          WORKER_THREADS: "1",
          LOG_LEVEL: "warn",
          RATE_LIMITS: "off",
          ADMIN_TOKEN: token,
          ENCRYPTION_KEY: "k".repeat(40),
          PROVIDER_URLS: providerUrls([fake]),
        };
        const node = await startService({ environment });
        cleanups.add(() => node.signal("SIGKILL"));
        return { node, client: createClient({ baseUrl: node.url }) };
      }),
    );
    const { client } = nodeAt(0);
    workspaceId = (await client.post("/api/v1/workspaces", { token, body: { name: "Rows" } })).text("workspace.id");
    const made = await client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
      token,
      body: { type: "google sheets", name: "Ours", data: serviceAccount },
    });
    credentialsId = made.text("credentials.id");
  });
afterAll(cleanups.run);

function nodeAt(index: number) {
  const found = nodes[index];
  if (!found) throw new Error("Two nodes were started");
  return found;
}

async function publishBot(isLater: boolean) {
  const spreadsheetId = fake.sheets.make({ rows: [["Name"]], sharedWith: [serviceAccount.clientEmail] });
  const options = { credentialsId, spreadsheetId, sheetId: "0", action: "Insert a row", isLater };
  const cellsToInsert = [{ id: "c", column: "Name", value: "{{Name}}" }];
  const blocks = [
    asks("text input", { variableId: idOf("Name") }),
    { id: "row", type: "Google Sheets", options: { ...options, cellsToInsert } },
    says("Thanks"),
  ];
  const { publicId } = await publish(nodeAt(0).client, { token, workspaceId }, flowOf(blocks));
  const namesIn = () => fake.sheets.rowsOf(spreadsheetId).slice(1).flat();
  return { publicId, spreadsheetId, namesIn };
}

const names = (count: number, of: string): string[] =>
  Array.from({ length: count }, (_, index) => `${of}-${String(index).padStart(3, "0")}`);

async function insist(client: Client, sessionId: string, name: string) {
  const options = { headers: { "Idempotency-Key": `reply-of-${name}` } };
  let answer = await say(client, sessionId, name, options);
  await waitFor(
    async () => {
      if (answer.status === 200) return true;
      expect([409, 503]).toContain(answer.status);
      answer = await say(client, sessionId, name, options);
      return false;
    },
    { withinMs: 60_000, what: `an answer for ${name}` },
  );
}

longTest("deferred rows of 100 chats are each written once", async () => {
  const bot = await publishBot(true);
  const visitors = names(100, "Later");
  await Promise.all(
    visitors.map(async (name, index) => {
      const { client } = nodeAt(index % 2);
      const sessionId = (await start(client, bot.publicId)).text("sessionId");
      await say(client, sessionId, name);
    }),
  );
  await waitFor(() => bot.namesIn().length >= visitors.length, { withinMs: 60_000, what: "all rows" });

  expect(bot.namesIn().toSorted()).toEqual(visitors);
  expect(fake.sheets.counted).toMatchObject({ refused: 0 });
});

longTest("rows that 30 chats append simultaneously are each written once", async () => {
  // Each resumed chat looks for its row, which takes more calls than the quota of a minute allows.
  fake.sheets.allow(10_000);
  const [dying, living] = [nodeAt(0), nodeAt(1)];
  const now = await publishBot(false);
  const later = await publishBot(true);
  const visitors = names(30, "Now");
  const late = names(3, "Late");
  const begin = (publicId: string) => async () => (await start(dying.client, publicId)).text("sessionId");
  const sessions = await Promise.all(visitors.map(begin(now.publicId)));
  const lateSessions = await Promise.all(late.map(begin(later.publicId)));

  // The first calls hang: some before their effect, some after it. The remaining calls wait for the first calls, or
  // for their turn.
  const held = new Map<string, number>();
  const isAppend = (path: string): boolean => path.endsWith(":append");
  const stop = fake.onAsked(({ path }) => {
    if (!isAppend(path)) return undefined;
    const of = path.includes(now.spreadsheetId) ? "now" : "later";
    const count = (held.get(of) ?? 0) + 1;
    held.set(of, count);
    return count % 2 === 0 ? Promise.withResolvers().promise : undefined;
  });
  fake.fail("hang", { times: 1_000, of: ({ path }) => isAppend(path), isDone: true });
  for (const [index, name] of late.entries()) await say(dying.client, lateSessions[index] ?? "", name);
  await waitFor(() => later.namesIn().length > 0, { withinMs: 60_000, what: "a row that was left" });
  const lost = visitors.map((name, index) => {
    const options = { headers: { "Idempotency-Key": `reply-of-${name}` } };
    return say(dying.client, sessions[index] ?? "", name, options).then(
      () => "answered",
      () => "lost",
    );
  });
  await waitFor(() => (held.get("now") ?? 0) >= 6, { withinMs: 60_000, what: "calls that hang" });
  dying.node.signal("SIGKILL");
  expect(new Set(await Promise.all(lost))).toEqual(new Set(["lost"]));
  stop();
  fake.recover();
  const made = now.namesIn().length;
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(visitors.length);

  await Promise.all(visitors.map((name, index) => insist(living.client, sessions[index] ?? "", name)));
  await waitFor(() => later.namesIn().length >= late.length, { withinMs: 90_000, what: "the rows that were left" });

  expect(now.namesIn().toSorted()).toEqual(visitors);
  expect(later.namesIn().toSorted()).toEqual(late);
});
