import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type ArrowWorld, createArrowWorld } from "../chaos/arrows/arrow-world.ts";
import { startFakeChatNode } from "../fake-providers/chat-node.ts";
import { startFakeElevenlabs } from "../fake-providers/elevenlabs.ts";
import { ownClient, person, serviceAccount } from "../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../fake-providers/google/server.ts";
import { type Asked, type FakeProvider, type Fault, faults } from "../fake-providers/kit.ts";
import { startFakeNocodb } from "../fake-providers/nocodb.ts";
import { startFakeStripe } from "../fake-providers/stripe.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong } from "../support/campaigns.ts";
import { asks, flowOf, say, says, start } from "../support/chat.ts";
import { putEndpoint } from "../support/events.ts";

setDefaultTimeout(120_000);

const planted = {
  service: "planted-key-of-a-service-7c1e",
  stripe: "sk_live_planted_secret_key_1",
  webhook: "whsec_planted_live_secret",
  refresh: person.refreshToken,
  client: ownClient.secret,
  access: "planted-access-token",
  private: serviceAccount.privateKey.split("\n")[3] ?? "",
};

let fakes: { readonly [name in "nocodb" | "elevenlabs" | "chatNode" | "stripe"]: FakeProvider } & {
  readonly google: FakeGoogle;
};
let world: ArrowWorld;
const accounts = new Map<string, string>();

beforeAll(async () => {
  const [nocodb, elevenlabs, chatNode, stripe, google] = await Promise.all([
    ...([startFakeNocodb(), startFakeElevenlabs(), startFakeChatNode()] as const),
    ...([startFakeStripe(), startFakeGoogle()] as const),
  ]);
  fakes = { nocodb, elevenlabs, chatNode, stripe, google };
  google.sheets.allow(10_000);
  world = await createArrowWorld({ fakes: Object.values(fakes), holds: {}, settings: { LOG_LEVEL: "debug" } });
  const keys = { liveSecretKey: planted.stripe, livePublicKey: "pk_live_1", liveWebhookSecret: planted.webhook };
  const data: Readonly<Record<string, object>> = {
    ...{ nocodb: { apiKey: planted.service }, elevenlabs: { apiKey: planted.service }, stripe: keys },
    ...{ "chat-node": { apiKey: planted.service }, "google sheets": serviceAccount },
    gmail: { ...person, clientId: ownClient.id, clientSecret: ownClient.secret },
  };
  for (const [type, secret] of Object.entries(data)) accounts.set(type, await world.makeCredentials(type, secret));
});
afterAll(async () => {
  await world.close();
  await Promise.all(Object.values(fakes).map((fake) => fake.close()));
});

type Provider = {
  readonly name: string;
  readonly account: string;
  readonly fake: () => FakeProvider;
  /** Returns the block. If the block's type has a timeout, the options contain `timeout`, which the test replaces. */
  block(ticket: string): { readonly type: string; readonly options: object };
  /** Returns whether a request belongs to the chat of the ticket. */
  isOf(ticket: string): (asked: Asked) => boolean;
  /** A sentence that the block itself shows before its failure. */
  readonly says?: string;
  /** Whether the block empties its variable, as a model block does. */
  readonly clears?: true;
  /** Whether the block has no timeout setting, so that it waits long for a silent provider. */
  readonly isPatient?: true;
};

const variable = idOf("Email");
const inText = (ticket: string) => (asked: Asked) => asked.text.includes(ticket);
const spreadsheets = new Map<string, string>();
const providers: readonly Provider[] = [
  {
    ...{ name: "Google Sheets", account: "google sheets", fake: () => fakes.google },
    block(ticket) {
      const rows = [["Name"], [ticket]];
      const spreadsheetId = fakes.google.sheets.make({ rows, sharedWith: [serviceAccount.clientEmail] });
      spreadsheets.set(ticket, spreadsheetId);
      const cellsToExtract = [{ id: "x", column: "Name", variableId: variable }];
      const options = { spreadsheetId, sheetId: "0", action: "Get data from sheet", cellsToExtract, timeout: 1 };
      return { type: "Google Sheets", options };
    },
    isOf:
      (ticket) =>
      ({ path }) =>
        path.includes(`/${spreadsheets.get(ticket)}/values`),
  },
  {
    ...{ name: "Gmail", account: "gmail", fake: () => fakes.google },
    block: (ticket) => ({
      type: "gmail",
      options: {
        ...{ action: "Send email", to: "team@example.com", subject: ticket, body: "Hello", timeout: 1 },
        responseMapping: [{ item: "Thread ID", variableId: variable }],
      },
    }),
    isOf: (ticket) => (asked) =>
      asked.path.endsWith("/messages/send") &&
      Buffer.from(String(asked.json["raw"] ?? ""), "base64url")
        .toString()
        .includes(ticket),
  },
  {
    ...{ name: "ElevenLabs", account: "elevenlabs", fake: () => fakes.elevenlabs, clears: true },
    block: (text) => ({
      type: "elevenlabs",
      options: {
        ...{ action: "Convert text to speech", text, voiceId: "voice1", timeout: 1 },
        saveUrlInVariableId: variable,
      },
    }),
    isOf: inText,
  },
  {
    ...{ name: "NocoDB", account: "nocodb", fake: () => fakes.nocodb, isPatient: true },
    block: (value) => ({
      type: "nocodb",
      options: { action: "Create Record", tableId: "table", fields: [{ key: "Name", value }] },
    }),
    isOf: inText,
  },
  {
    ...{ name: "ChatNode", account: "chat-node", fake: () => fakes.chatNode, isPatient: true },
    block: (message) => ({
      type: "chat-node",
      options: {
        ...{ action: "Send Message", botId: "known-bot", message },
        responseMapping: [{ item: "Message", variableId: variable }],
      },
    }),
    isOf: inText,
  },
  {
    ...{ name: "Stripe", account: "stripe", fake: () => fakes.stripe, isPatient: true },
    says: "A payment of 12,50\u00a0€ is due here, which is not possible in this chat. Please ask the person who sent you here how to pay.",
    block: (description) => ({
      type: "payment input",
      options: { amount: "12.50", currency: "EUR", additionalInformation: { description } },
    }),
    isOf: inText,
  },
];

const cases = providers.flatMap((provider, row) =>
  faults
    .filter((fault) => fault !== "hang" || isLong || !provider.isPatient)
    .map((fault, column) => ({ provider, fault, ticket: `ticket-${row}-${column}.` })),
);

async function meet({ provider, fault, ticket }: { provider: Provider; fault: Fault; ticket: string }) {
  const { type, options } = provider.block(ticket);
  // One second is enough for a silent provider, and for a rejection that is retried until the timeout. A response may
  // take longer on a busy machine.
  const timeout = "timeout" in options && { timeout: fault === "hang" || fault === "429" ? 1 : 20 };
  const credentialsId = accounts.get(provider.account);
  provider.fake().fail(fault, { times: 20, of: provider.isOf(ticket) });
  const kept = { id: "kept", type: "Set variable", options: { variableId: variable, expressionToEvaluate: "kept" } };
  const block = {
    id: "called",
    type,
    options: { ...options, ...timeout, credentialsId, failure: { outgoingEdgeId: idOf("e1") } },
  };
  const flow = flowOf(
    [asks("text input"), kept, block, says("Went on: {{Email}}")],
    [says("Failed: {{Email}}"), asks("email input")],
  );
  const { botId, publicId } = await world.publish(flow);
  const { client } = world.dying;
  const started = await start(client, publicId);
  const answer = await say(client, started.text("sessionId"), "Ana");
  const path = `/api/v1/bots/${botId}/results/${started.text("resultId")}`;
  const logs = await client.get(`${path}/logs`, { token: world.token });
  const result = await client.get(path, { token: world.token });
  const exported = await fetch(`${world.dying.url}/api/v1/bots/${botId}/results/export`, {
    headers: { Authorization: `Bearer ${world.token}` },
  });
  return {
    outcome: {
      ...{ name: provider.name, fault, texts: answer.at("messages.*.content.plainText") },
      logs: logs.at("logs.*.status"),
    },
    said: JSON.stringify(logs.body),
    everything: JSON.stringify([started.body, answer.body, logs.body, result.body]) + (await exported.text()),
  };
}

test("every fault of a provider leads to the failure edge", async () => {
  await putEndpoint(world.sql, { url: "http://receiver.invalid/", workspaceId: world.workspaceId });

  const met = await Promise.all(cases.map(meet));

  expect(met.map(({ outcome }) => outcome)).toEqual(
    cases.map(({ provider: { name, clears, says: first = [] }, fault }) => ({
      ...{ name, fault, logs: ["error"] },
      texts: [first, clears ? "Failed: " : "Failed: kept"].flat(),
    })),
  );
  for (const [index, { said }] of met.entries()) {
    const fault = cases[index]?.fault ?? "";
    // Status 429 is retried until the timeout, which on a busy machine may expire during an attempt.
    if (/^\d/.test(fault))
      expect(said).toMatch(fault === "429" ? /429|took too long|did not respond in time|no time left/ : fault);
  }
  const metrics = await (await fetch(`${world.dying.url}/metrics`)).text();
  const tables = await world.sql<{ name: string }[]>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
    from pg_tables
    where schemaname in ('public', 'pgboss')`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => JSON.stringify([...(await world.sql.unsafe(`select t::text from ${name} t`))])),
  );
  expect(rows.join("")).toContain("Failed: kept");
  const places = {
    answers: met.map(({ everything }) => everything).join(""),
    ...{ log: world.dying.output(), metrics, rows: rows.join("") },
  };
  for (const [place, text] of Object.entries(places)) {
    const found = Object.entries(planted).filter(([, secret]) => text.includes(secret));
    expect([place, found]).toEqual([place, []]);
  }
});
