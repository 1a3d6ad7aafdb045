import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { heldIn, holdsVariable, usualClaimsVariable } from "../support/held-service-settings.ts";
import { longTest } from "../support/long-test.ts";
import { moveClock } from "../support/moved-clock.ts";
import { type OutsideServer, startOutside } from "../support/outside.ts";
import { commandOf } from "../support/programs.ts";
import { cleanupStack, type Service, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(120_000);

const token = "the administrator of both nodes";

/** The points at which the node stops, by the ticket of the chat. */
const places: Readonly<Record<string, string>> = {
  "ticket-1": "all at the report",
  "ticket-2": "all at during model 1",
  "ticket-3": "all at before the save",
  "ticket-4": "all at after model 1",
};
/** The last ticket of the node that dies. */
const lastTicket = "ticket-5";

type Node = { readonly service: Service; readonly client: Client };

const cleanups = cleanupStack();
let database: TestDatabase;
let model: FakeModel;
let receiver: OutsideServer;
/** The node that stops until a test continues it. */
let first: Node;
/** The node that never stops. */
let other: Node;
let workspaceId: string;
let credentialsId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  cleanups.add(database.close);
  model = await startFakeModel();
  cleanups.add(() => model.close());
  receiver = await startOutside(({ body }, response) => response.end(JSON.stringify({ body })));
  cleanups.add(() => receiver.close());
  [first, other] = await Promise.all([startNode({ [holdsVariable]: JSON.stringify(places) }), startNode({})]);
  const made = await other.client.post("/api/v1/workspaces", { token, body: { name: "Deaths" } });
  workspaceId = made.text("workspace.id");
  const account = await other.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token,
    body: { type: "openai", name: "Ours", data: { apiKey: "sk-any", baseUrl: model.baseUrl } },
  });
  credentialsId = account.text("credentials.id");
}, 120_000);
afterAll(cleanups.run);

async function startNode(environment: Record<string, string>): Promise<Node> {
  const service = await startService({
    command: commandOf("test/support/held-service.ts"),
    environment: {
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
    service.signal("SIGCONT");
    service.signal("SIGKILL");
  });
  return { service, client: createClient({ baseUrl: service.url }) };
}

/**
 * Starts a chat at a node, and sends the ticket as the reply. The step calls a server and then a model. Waits until the
 * node stops in this step.
 */
async function holdStill(node: Node, ticket: string, modelOptions: object = {}) {
  const webhook = { url: receiver.url("/orders"), method: "POST", body: '{"ticket":"{{Name}}"}' };
  const flow = flowOf([
    asks("text input", { variableId: idOf("Name") }),
    { id: "calls", type: "Webhook", options: { isAdvancedConfig: true, isCustomBody: true, webhook } },
    {
      id: "model",
      type: "openai",
      options: {
        action: "Create chat completion",
        credentialsId,
        model: "echo",
        messages: [{ role: "user", content: "I am {{Name}}" }],
        responseMapping: [{ variableId: idOf("Email") }],
        ...modelOptions,
      },
    },
    says("{{Email}}"),
  ]);
  const bot = await publish(other.client, { token, workspaceId }, flow);
  const before = { orders: receiver.requests.length, asked: model.asked.length };
  const sessionId = (await start(node.client, bot.publicId)).text("sessionId");
  const options = { headers: { "Idempotency-Key": `reply-of-${ticket}` } };
  const answering = say(node.client, sessionId, ticket, options).catch(() => "lost" as const);
  await waitFor(() => heldIn(node.service.stdout(), ticket) !== undefined, {
    withinMs: 60_000,
    what: `a node that stands still with ${ticket}`,
  });
  return {
    answering,
    again: () => say(other.client, sessionId, ticket, options),
    /** The calls since the node stopped. */
    orders: () => receiver.requests.slice(before.orders),
    asked: () => model.asked.slice(before.asked),
  };
}

test.each(
  [
    // The node stopped after it had checked the claim, just before the call.
    { place: places["ticket-1"], ticket: "ticket-1", done: { orders: 1, asked: 1 } },
    { place: places["ticket-2"], ticket: "ticket-2", done: { orders: 1, asked: 2 } },
    { place: places["ticket-3"], ticket: "ticket-3", done: { orders: 1, asked: 1 } },
  ].filter(({ ticket }) => isLong || ticket === "ticket-2"),
)(
  "a node that was paused performs no further effect once another node has its claim (fault point: $place)",
  async ({ ticket, done }) => {
    const { answering, again, orders, asked } = await holdStill(first, ticket);

    const answer = await again();
    first.service.signal("SIGCONT");
    const late = await answering;

    expect(answer.at("messages.*.content.plainText")).toEqual([`You said: I am ${ticket}`]);
    // The late node returns the step that the other node saved.
    expect(late === "lost" ? late : late.body).toEqual(answer.body);
    expect({ orders: orders().length, asked: asked().length }).toEqual(done);
    // An answer that arrived too late is not stored.
    await waitFor(async () => (await database.sql`select from effect_reports`).length === 0);
  },
);

test("a node that was paused during its step stores no second recording", async () => {
  const { answering, again } = await holdStill(first, "ticket-4", {
    action: "Create speech",
    input: "{{Name}}",
    voice: "alloy",
    saveUrlInVariableId: idOf("Email"),
  });

  const answer = await again();
  first.service.signal("SIGCONT");
  const late = await answering;

  expect(late === "lost" ? late : late.body).toEqual(answer.body);
  expect(await database.sql`select from files`).toHaveLength(1);
});

// This test leaves the clock of the database ahead.
longTest("the claim of a dead node expires together with its event leases", async () => {
  const dying = await startNode({
    [holdsVariable]: JSON.stringify({ [lastTicket]: "during model 1" }),
    [usualClaimsVariable]: "yes",
  });
  const { answering, again, asked } = await holdStill(dying, lastTicket);
  dying.service.signal("SIGKILL");
  expect(await answering).toBe("lost");
  const [claim] = await database.sql<{ secondsLeft: number }[]>`
    select extract(epoch from claim_until - clock())::float8 as seconds_left
    from sessions
    where claim_until is not null`;

  expect(limits.claims.seconds).toBe(limits.events.leaseSeconds);
  expect(claim?.secondsLeft).toBeLessThanOrEqual(limits.events.leaseSeconds);
  await moveClock(database.sql, limits.events.leaseSeconds);
  expect((await again()).at("messages.*.content.plainText")).toEqual([`You said: I am ${lastTicket}`]);
  const keys = asked().map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.any(String), keys[0]]);
});
