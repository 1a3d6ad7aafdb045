import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type DueSteps, startDueSteps } from "../../../src/chat/due/due-steps.ts";
import { textAt } from "../../../src/core/interpreter/flow.ts";
import { serviceAccount } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type FakeNocodb, startFakeNocodb } from "../../fake-providers/nocodb.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

const webhookSecret = "whsec_planted_live_secret";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let fakes: { readonly stripe: FakeStripe; readonly nocodb: FakeNocodb; readonly google: FakeGoogle };
let due: DueSteps;
let accounts: { readonly stripe: string; readonly nocodb: string; readonly google: string };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  const [stripe, nocodb, google] = await Promise.all([startFakeStripe(), startFakeNocodb(), startFakeGoogle()]);
  fakes = { stripe, nocodb, google };
  api = await createTestApi({
    threads,
    config: { PROVIDER_URLS: providerUrls([stripe, nocodb, google]), ENCRYPTION_KEY: testKey },
  });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const made = async (type: string, data: object) => {
    const body = { type, name: type, data };
    const path = `/api/v1/workspaces/${workspaceId}/credentials`;
    return (await api.client.post(path, { token: owner.token, body })).text("credentials.id");
  };
  const keys = { liveSecretKey: "sk_live_planted", livePublicKey: "pk_live_1", liveWebhookSecret: webhookSecret };
  accounts = {
    stripe: await made("stripe", keys),
    nocodb: await made("nocodb", { apiKey: "any-key" }),
    google: await made("google sheets", serviceAccount),
  };
  due = startDueSteps(api.deps);
});
afterEach(() => moveClock(api.deps.sql, 0));
afterAll(async () => {
  await due.stop();
  await threads.close();
  await api.close();
  await Promise.all(Object.values(fakes).map((fake) => fake.close()));
});

const record = () => ({
  id: "record",
  type: "nocodb",
  options: {
    ...{ action: "Create Record", credentialsId: accounts.nocodb, tableId: "table" },
    fields: [{ key: "Name", value: "{{Name}}" }],
  },
});
const impact = (botId: string, body: object) =>
  api.client.post(`/api/v1/bots/${botId}/impact`, { token: owner.token, body });
const stepsOf = async (sessionId: string) =>
  (await api.client.get(`/api/v1/sessions/${sessionId}`)).list("session.steps").length;
const asked = () => Object.values(fakes).reduce((sum, fake) => sum + fake.asked.length, 0);

async function pass(sessionId: string, seconds: number): Promise<void> {
  const before = await stepsOf(sessionId);
  await moveClock(api.deps.sql, seconds);
  await waitFor(async () => {
    due.wake();
    return (await stepsOf(sessionId)) > before;
  });
}

type Kind = {
  readonly name: string;
  /** Returns the groups of blocks. A timeout leads to the second group. */
  flow(): readonly (readonly object[])[];
  talk(sessionId: string, firstText: string): Promise<void>;
};

const listen = { id: "listen", type: "webhook", options: {} };
const address = {
  id: "address",
  type: "Set variable",
  options: { variableId: idOf("Email"), type: "Callback address", blockId: "listen" },
};
const called = async (text: string) =>
  expect((await api.client.post(new URL(text).pathname, { body: { order: "A-17" } })).status).toBe(200);

const kinds: readonly Kind[] = [
  {
    name: "a time-out whose step calls a provider",
    flow: () => [
      [asks("text input", { timeout: { after: 60, outgoingEdgeId: idOf("e1") } }), says("Answered")],
      [record(), says("Nobody")],
    ],
    talk: (sessionId) => pass(sessionId, 61),
  },
  {
    name: "a wait",
    flow: () => [
      [
        { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "90", shouldPause: true } },
        record(),
        says("Time is up"),
        asks("text input"),
      ],
    ],
    talk: (sessionId) => pass(sessionId, 91),
  },
  {
    name: "a call",
    flow: () => [[address, says("{{Email}}"), listen, record(), says("Called"), asks("text input")]],
    talk: (_, text) => called(text),
  },
  {
    name: "an early call",
    flow: () => [
      [address, says("{{Email}}"), asks("number input"), listen, record(), says("Called"), asks("text input")],
    ],
    async talk(sessionId, text) {
      await called(text);
      await say(api.client, sessionId, "1");
      await pass(sessionId, 2);
    },
  },
  {
    name: "a reported payment",
    flow: () => [
      [
        asks("payment input", { credentialsId: accounts.stripe, amount: "5" }),
        record(),
        says("Paid"),
        asks("text input"),
      ],
    ],
    async talk(sessionId) {
      const [intent] = [...fakes.stripe.intents.values()].slice(-1);
      fakes.stripe.confirm(intent?.client_secret ?? "");
      const { body, signature } = fakes.stripe.report(intent?.id ?? "", { secret: webhookSecret });
      const headers = { "stripe-signature": signature };
      await api.client.post(`/api/v1/payments/stripe/${accounts.stripe}`, { rawBody: body, headers });
      await pass(sessionId, 1);
    },
  },
  {
    name: "a payment with a refused reply and an accepted reply",
    flow: () => [
      [asks("payment input", { credentialsId: accounts.stripe, amount: "5" }), says("Paid"), asks("text input")],
    ],
    async talk(sessionId) {
      await say(api.client, sessionId, "Success");
      const [intent] = [...fakes.stripe.intents.values()].slice(-1);
      fakes.stripe.confirm(intent?.client_secret ?? "");
      await say(api.client, sessionId, "Success");
    },
  },
  {
    name: "a spreadsheet query",
    flow: () => {
      const spreadsheetId = fakes.google.sheets.make({
        rows: [
          ["Name", "Town"],
          ["Ana", "Lyon"],
          ["Ana", "Oslo"],
        ],
        sharedWith: [serviceAccount.clientEmail],
      });
      const options = {
        ...{ credentialsId: accounts.google, spreadsheetId, sheetId: "0", action: "Get data from sheet" },
        filter: { comparisons: [{ id: "c", column: "Name", comparisonOperator: "Equal to", value: "{{Name}}" }] },
        cellsToExtract: [{ id: "x", column: "Town", variableId: idOf("Email") }],
      };
      return [[{ id: "sheet", type: "Google Sheets", options }, says("{{Email}}"), asks("email input")]];
    },
    talk: async (_, text) => expect(text).toBe('["Lyon","Oslo"]'),
  },
];

/** A report does not include chats without an answer, so each chat first asks for a name. */
const named = () => [asks("text input", { variableId: idOf("Name") }, { id: idOf("name") })];
const first = (blocks: readonly (readonly object[])[]) =>
  blocks.map((group, index) => (index === 0 ? [...named(), ...group] : group));

test.each(kinds)("a replay of $name has the original outcome, and calls no service", async ({ flow, talk }) => {
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flowOf(...first(flow())));
  const started = await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  const [message] = (await say(api.client, sessionId, "Ana")).list("messages");
  await talk(sessionId, textAt(message, "content", "plainText") ?? "");
  const before = asked();

  const report = await impact(botId, { version: "1" });

  expect(report.body).toEqual({
    ...{ results: 1, same: 1, changed: 0, diverging: 0 },
    ...{ notReplayable: [], isComplete: true, places: [], hasMorePlaces: false },
  });
  expect(asked()).toBe(before);
});

test("a draft with another time-out edge counts as another path", async () => {
  const timed = (timeout: object) =>
    flowOf([...named(), asks("text input", { timeout }), says("Answered")], [says("Nobody")], [says("Somebody else")]);
  const nobody = { after: 60, outgoingEdgeId: idOf("e1") };
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, timed(nobody));
  const sessionId = (await start(api.client, publicId)).text("sessionId");
  await say(api.client, sessionId, "Ana");
  await pass(sessionId, 61);

  const elsewhere = await impact(botId, { bot: timed({ ...nobody, outgoingEdgeId: idOf("e2") }) });
  const without = await impact(botId, { bot: timed({ after: 60 }) });
  const longer = await impact(botId, { bot: timed({ ...nobody, after: 600 }) });

  expect(elsewhere.body).toMatchObject({
    ...{ same: 0, diverging: 1 },
    places: [{ kind: "way", wasNext: idOf("says Nobody"), next: idOf("says Somebody else") }],
  });
  expect(without.body).toMatchObject({
    diverging: 1,
    places: [{ kind: "way", wasNext: idOf("says Nobody"), next: idOf("says Answered") }],
  });
  expect(longer.body).toMatchObject({ same: 1, places: [] });
});
