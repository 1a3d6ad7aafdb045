import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { heldIn, holdsVariable, usualClaimsVariable } from "../support/held-service-settings.ts";
import { moveClock } from "../support/moved-clock.ts";
import { startOutside } from "../support/outside.ts";
import { commandOf } from "../support/programs.ts";
import { cleanupStack, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

// A node that dies or hangs while a model answers, and another one on the same database that takes its step up.

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const token = "the administrator of both nodes";
const ticket = "ticket-1";
const options = { headers: { "Idempotency-Key": `reply-of-${ticket}` } };

/** A node that hangs at this place. */
async function startNode(
  { database, model }: { database: TestDatabase; model: FakeModel },
  { place, environment = {} }: { place: string; environment?: Record<string, string> },
) {
  const node = await startService({
    command: commandOf("test/support/held-service.ts"),
    environment: {
      [holdsVariable]: JSON.stringify({ [ticket]: place }),
      DATABASE_URL: database.url,
      DATABASE_POOL: "6",
      DATA_DIR: cleanups.folder(),
      WORKER_THREADS: "1",
      LOG_LEVEL: "warn",
      RATE_LIMITS: "off",
      ADMIN_TOKEN: token,
      ENCRYPTION_KEY: "k".repeat(40),
      MODEL_SERVERS: model.origin,
      ...environment,
    },
  });
  cleanups.add(() => {
    node.signal("SIGCONT");
    node.signal("SIGKILL");
  });
  return { node, client: createClient({ baseUrl: node.url }) };
}

/** Two nodes of which the first hangs at this place of a chat, whose next reply calls a server and then asks a model. */
async function startWorld(
  place: string,
  { environment = {}, modelOptions = {} }: { environment?: Record<string, string>; modelOptions?: object } = {},
) {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const model = await startFakeModel();
  cleanups.add(() => model.close());
  const receiver = await startOutside(({ body }, response) => response.end(JSON.stringify({ body })));
  cleanups.add(() => receiver.close());
  const world = { database, model };
  const [first, other] = await Promise.all([
    startNode(world, { place, environment }),
    startNode(world, { place: "nowhere", environment }),
  ]);
  const made = await other.client.post("/api/v1/workspaces", { token, body: { name: "Deaths" } });
  const workspaceId = made.text("workspace.id");
  const account = await other.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token,
    body: { type: "openai", name: "Ours", data: { apiKey: "sk-any", baseUrl: model.baseUrl } },
  });
  const webhook = { url: receiver.url("/orders"), method: "POST", body: '{"ticket":"{{Name}}"}' };
  const flow = flowOf([
    asks("text input", { variableId: idOf("Name") }),
    { id: "calls", type: "Webhook", options: { isAdvancedConfig: true, isCustomBody: true, webhook } },
    {
      id: "model",
      type: "openai",
      options: {
        action: "Create chat completion",
        credentialsId: account.text("credentials.id"),
        model: "echo",
        messages: [{ role: "user", content: "I am {{Name}}" }],
        responseMapping: [{ variableId: idOf("Email") }],
        ...modelOptions,
      },
    },
    says("{{Email}}"),
  ]);
  const bot = await publish(other.client, { token, workspaceId }, flow);
  const sessionId = (await start(first.client, bot.publicId)).text("sessionId");
  const answering = say(first.client, sessionId, ticket, options).catch(() => "lost" as const);
  await waitFor(() => heldIn(first.node.stdout(), ticket) !== undefined, {
    withinMs: 60_000,
    what: `a node that stands still at ${place}`,
  });
  const again = () => say(other.client, sessionId, ticket, options);
  return { database, model, receiver, first, answering, again };
}

test("the claim of a node that dies in a model's answer lapses as soon as its leases of events", async () => {
  const { database, model, first, answering, again } = await startWorld("during model 1", {
    environment: { [usualClaimsVariable]: "yes" },
  });
  first.node.signal("SIGKILL");
  expect(await answering).toBe("lost");
  const [claim] = await database.sql<{ secondsLeft: number }[]>`
    select extract(epoch from claim_until - clock())::float8 as seconds_left
    from sessions
    where claim_until is not null`;

  expect(limits.claims.seconds).toBe(limits.events.leaseSeconds);
  expect(claim?.secondsLeft).toBeLessThanOrEqual(limits.events.leaseSeconds);
  await moveClock(database.sql, limits.events.leaseSeconds);
  expect((await again()).at("messages.*.content.plainText")).toEqual([`You said: I am ${ticket}`]);
  const keys = model.asked.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test.each([
  // Its claim was asked for already when it stood still, and its call was about to be made.
  ["all at the report", { orders: 1, asked: 1 }],
  ["all at during model 1", { orders: 1, asked: 2 }],
  ["all at before the save", { orders: 1, asked: 1 }],
])("a node that stood still (%s) performs nothing more once another one has its claim", async (place, done) => {
  const { database, model, receiver, first, answering, again } = await startWorld(place);

  const answer = await again();
  first.node.signal("SIGCONT");
  const late = await answering;

  expect(answer.at("messages.*.content.plainText")).toEqual([`You said: I am ${ticket}`]);
  // It gives what the other one saved.
  expect(late === "lost" ? late : late.body).toEqual(answer.body);
  expect({ orders: receiver.requests.length, asked: model.asked.length }).toEqual(done);
  // An answer that arrived too late is stored nowhere.
  await waitFor(async () => (await database.sql`select from effect_reports`).length === 0);
});

test("a node that stood still keeps no second recording", async () => {
  const modelOptions = {
    action: "Create speech",
    input: "{{Name}}",
    voice: "alloy",
    saveUrlInVariableId: idOf("Email"),
  };
  const { database, first, answering, again } = await startWorld("all at after model 1", { modelOptions });

  const answer = await again();
  first.node.signal("SIGCONT");
  const late = await answering;

  expect(late === "lost" ? late : late.body).toEqual(answer.body);
  expect(await database.sql`select from files`).toHaveLength(1);
});
