import { afterEach, expect, setDefaultTimeout } from "bun:test";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Client, createClient } from "../support/client.ts";
import { createTestDatabase } from "../support/database.ts";
import { heldIn, holdsVariable } from "../support/held-service-settings.ts";
import { longTest } from "../support/long-test.ts";
import { type OutsideServer, startOutside } from "../support/outside.ts";
import { commandOf } from "../support/programs.ts";
import { cleanupStack, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(180_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const token = "the administrator of both nodes";
/** The model is called four times: it calls a tool in three rounds, and then answers. */
const rounds = [1, 2, 3, 4];

/** The points at which the node of a chat dies, and the work that is repeated after each death. */
const deaths = [
  ...rounds.flatMap((round) => [
    { place: `before model ${round}`, again: 0 },
    { place: `during model ${round}`, again: round },
    { place: `after model ${round}`, again: round },
  ]),
  { place: "before the call", again: 0 },
  { place: "after the call", again: "the call" },
  { place: "before the save", again: 0 },
  { place: "after the save", again: 0 },
].map((death, index) => ({ ...death, ticket: `ticket-${index + 1}` }));

/** The model looks up data, books a table, and looks up data again. */
const wanted = ['call look {"at":1}', 'call book {"at":2}', 'call look {"at":3}'].join("\n\n");

function flowWith(credentialsId: string, receiver: OutsideServer) {
  const at = [{ name: "at", type: "number" }];
  const send = `{ method: "POST", body: JSON.stringify({ ticket: {{Name}}, at }) }`;
  const options = {
    action: "Create chat completion",
    credentialsId,
    model: "tools",
    messages: [{ role: "user", content: `I am {{Name}}\n${wanted}` }],
    tools: [
      { name: "look", parameters: at, code: "return '{{Name}} looked ' + at" },
      { name: "book", parameters: at, code: `return await fetch("${receiver.url("/tables")}", ${send})` },
    ],
    responseMapping: [{ variableId: idOf("Email") }],
  };
  const blocks = [
    asks("text input", { variableId: idOf("Name") }),
    { id: "model", type: "openai", options },
    says("{{Email}}"),
  ];
  return flowOf(blocks);
}

/** Starts two nodes on one database. Each chat of the first node hangs at the point of its planned death. */
async function startNodes(model: FakeModel) {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const holds = Object.fromEntries(deaths.map(({ ticket, place }) => [ticket, place]));
  const nodes = await Promise.all(
    [JSON.stringify(holds), "{}"].map(async (held) => {
      const node = await startService({
        command: commandOf("test/support/held-service.ts"),
        environment: {
          [holdsVariable]: held,
          DATABASE_URL: database.url,
          DATABASE_POOL: "6",
          DATA_DIR: cleanups.folder(),
          WORKER_THREADS: "1",
          LOG_LEVEL: "warn",
          RATE_LIMITS: "off",
          ADMIN_TOKEN: token,
          ENCRYPTION_KEY: "k".repeat(40),
          MODEL_SERVERS: model.origin,
        },
      });
      cleanups.add(() => node.signal("SIGKILL"));
      return { node, client: createClient({ baseUrl: node.url }) };
    }),
  );
  const [dying, living] = nodes;
  if (!dying || !living) throw new Error("Two nodes were asked for");
  return { dying, living };
}

async function insist(client: Client, sessionId: string, ticket: string) {
  const options = { headers: { "Idempotency-Key": `reply-of-${ticket}` } };
  let answer = await say(client, sessionId, ticket, options);
  await waitFor(
    async () => {
      if (answer.status === 200) return true;
      expect([409, 503]).toContain(answer.status);
      answer = await say(client, sessionId, ticket, options);
      return false;
    },
    { withinMs: 60_000, what: `an answer for ${ticket}` },
  );
  return answer;
}

longTest("only the running tool call is repeated after a node dies", async () => {
  const model = await startFakeModel();
  cleanups.add(() => model.close());
  const receiver = await startOutside((_, response) => response.end("booked"));
  cleanups.add(() => receiver.close());
  const { dying, living } = await startNodes(model);
  const made = await living.client.post("/api/v1/workspaces", { token, body: { name: "Loops" } });
  const workspaceId = made.text("workspace.id");
  const account = await living.client.post(`/api/v1/workspaces/${workspaceId}/credentials`, {
    token,
    body: { type: "openai", name: "Ours", data: { apiKey: "sk-any", baseUrl: model.baseUrl } },
  });
  const flow = flowWith(account.text("credentials.id"), receiver);
  const bot = await publish(living.client, { token, workspaceId }, flow);

  const sessions = await Promise.all(
    deaths.map(async () => (await start(dying.client, bot.publicId)).text("sessionId")),
  );
  const lost = deaths.map(({ ticket }, index) =>
    say(dying.client, sessions[index] ?? "", ticket, { headers: { "Idempotency-Key": `reply-of-${ticket}` } }).then(
      () => "answered",
      () => "lost",
    ),
  );
  const isHeld = (ticket: string): boolean => heldIn(dying.node.stdout(), ticket) !== undefined;
  await waitFor(() => deaths.every(({ ticket }) => isHeld(ticket)), {
    withinMs: 60_000,
    what: () => `${deaths.filter(({ ticket }) => !isHeld(ticket)).map(({ place }) => place)} to come`,
  });
  dying.node.signal("SIGKILL");
  expect(await Promise.all(lost)).toEqual(deaths.map(() => "lost"));
  const answers = await Promise.all(
    deaths.map(({ ticket }, index) => insist(living.client, sessions[index] ?? "", ticket)),
  );

  for (const [index, { ticket, place, again }] of deaths.entries()) {
    const words = `The tools said: ${ticket} looked 3`;
    const said = [answers[index]?.at("messages.*.content.plainText")].flat();
    // Text that the dead node had already streamed may stay in a separate bubble before the answer.
    expect([place, said.at(-1), said.slice(0, -1).filter((kept) => kept !== `${words}…`)]).toEqual([place, words, []]);
    const asked = model.asked.filter(({ text }) => text.includes(`I am ${ticket}\\n`));
    const times = rounds.map((round) => asked.filter(({ body }) => turnsOf(body["messages"]) === round - 1).length);
    expect([place, times]).toEqual([place, rounds.map((round) => (round === again ? 2 : 1))]);
    // Each round has its own key, and a repeated round has the same key.
    const modelKeys = asked.map(({ headers, body }) => `${turnsOf(body["messages"])} ${headers["idempotency-key"]}`);
    expect([place, new Set(modelKeys).size]).toEqual([place, rounds.length]);
    for (const { headers } of asked) expect(headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    const calls = receiver.requests.filter(({ body }) => body.includes(`"${ticket}"`));
    expect([place, calls.length]).toEqual([place, again === "the call" ? 2 : 1]);
    expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(calls[0]?.headers["idempotency-key"]).toBeString();
  }
  const keys = receiver.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(deaths.length);
  const results = await living.client.get(`/api/v1/bots/${bot.botId}/results?limit=100`, { token });
  expect(results.at("results.*.isCompleted")).toEqual(deaths.map(() => true));
});

function turnsOf(messages: unknown): number {
  return Array.isArray(messages) ? messages.filter(({ role }) => role === "assistant").length : -1;
}
