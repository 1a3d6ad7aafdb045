import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { continueChat } from "../../../src/chat/continue-chat.ts";
import { startChat } from "../../../src/chat/start-chat.ts";
import type { ChatContact } from "../../../src/core/interpreter/program/contact.ts";
import type { SessionState } from "../../../src/core/interpreter/program/state.ts";
import { readInputs } from "../../../src/core/replay/inputs.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { noOrigins } from "../../../src/management/access/origins.ts";
import { newId } from "../../../src/platform/ids.ts";
import { unknownAddress } from "../../../src/platform/rate-limits/client-address.ts";
import { operations } from "../../../src/service/operations.ts";
import { idOf } from "../../support/builder-ids.ts";
import { makeContact } from "../../support/channel-contacts.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { createDueWorld, type DueWorld } from "../due/due-world.ts";

let world: DueWorld;

beforeAll(async () => {
  world = await createDueWorld();
});
afterEach(() => moveClock(sql(), 0));
afterAll(() => world.close());

const sql = () => world.api.deps.sql;

async function contactOf(facts: Partial<ChatContact> = {}): Promise<ChatContact> {
  return makeContact(sql(), { channel: "telegram", connectionId: newId(), address: "7001", ...facts });
}

async function begin(contact: ChatContact, flow: object, more: { resultId?: string; message?: string } = {}) {
  const workspaceId = await world.api.makeWorkspace(world.owner);
  const bot = await publish(world.api.client, { token: world.owner.token, workspaceId }, flow);
  const response = await beginWith(contact, bot.publicId, more);
  return { ...bot, ...response };
}

async function beginWith(
  contact: ChatContact,
  publicId: string,
  { resultId, message }: { resultId?: string; message?: string } = {},
) {
  const { deps } = world.api;
  const { response } = await startChat(deps, {
    ...{ publicId, contact, message, key: `in ${newId()}`, resultId: resultId ?? null },
    ...{ contentFormat: "richText", isStreamEnabled: false, isOnlyRegistering: false, prefilledVariables: {} },
    ...{ hops: noHops, origins: noOrigins, dialect: "bot" },
    admission: deps.rateLimits.admission(() => unknownAddress),
  });
  const { sessionId, resultId: made }: { sessionId: string; resultId: string } = JSON.parse(response);
  return { response, sessionId, resultId: made };
}

async function reply(contact: ChatContact, sessionId: string, message: string | null): Promise<string> {
  const { response } = await continueChat(world.api.deps, {
    ...{ sessionId, message, contact, key: `in ${newId()}` },
    ...{ contentFormat: "richText", origins: noOrigins, hops: noHops },
  });
  return response;
}

async function saidSteps(sessionId: string) {
  return sql()<{ revision: number; contactId: string; connectionId: string }[]>`
    select revision, contact_id, connection_id from channel_steps where session_id = ${sessionId} order by revision`;
}

async function stateOf(sessionId: string): Promise<SessionState> {
  const [row] = await sql()<[{ state: string }]>`select state from sessions where id = ${sessionId}`;
  return JSON.parse(row.state);
}

async function valuesOf(resultId: string): Promise<Record<string, unknown>> {
  const [row] = await sql()<[{ variables: { name: string; value: unknown }[] }]>`
    select variables from results where id = ${resultId}`;
  return Object.fromEntries(row.variables.map(({ name, value }) => [name, value]));
}

test("each step of a contact's chat is queued for rendering with the contact's id", async () => {
  const contact = await contactOf({ name: "Ana" });
  const { sessionId, resultId } = await begin(contact, nameAndEmail);
  await reply(contact, sessionId, "Ana");

  const [session] = await sql()<[Record<string, unknown>]>`
    select channel_contact_id, lifetime_minutes from sessions where id = ${sessionId}`;
  const [result] = await sql()<[Record<string, unknown>]>`
    select channel, contact_id from results where id = ${resultId}`;
  const { id: contactId, connectionId } = contact;
  expect(session).toEqual({ channelContactId: contactId, lifetimeMinutes: 43_200 });
  expect(result).toEqual({ channel: "telegram", contactId });
  expect([...(await saidSteps(sessionId))]).toEqual([
    { revision: 1, contactId, connectionId },
    { revision: 2, contactId, connectionId },
  ]);
});

test("only the contact's own chats store the contact", async () => {
  const contact = await contactOf();
  const { publicId } = await begin(contact, nameAndEmail);
  const started = await Promise.all([
    ...Array.from({ length: 12 }, () => start(world.api.client, publicId).then((one) => one.text("sessionId"))),
    ...Array.from({ length: 3 }, () => beginWith(contact, publicId).then((one) => one.sessionId)),
  ]);
  const rows = await sql()<{ id: string; channelContactId: string | null; steps: number; channel: string | null }[]>`
    select s.id, s.channel_contact_id, r.channel,
      (select count(*)::integer from channel_steps c where c.session_id = s.id) as steps
    from sessions s
    join results r on r.id = s.result_id
    where s.id = any(${started}::uuid[])`;
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  expect(started.slice(0, 12).map((id) => byId.get(id))).toEqual(
    Array.from({ length: 12 }, () => ({ channelContactId: null, steps: 0, channel: null })),
  );
  expect(started.slice(12).map((id) => byId.get(id))).toEqual(
    Array.from({ length: 3 }, () => ({ channelContactId: contact.id, steps: 1, channel: "telegram" })),
  );
});

test("a step for an erased contact is not queued for rendering", async () => {
  const contact = await contactOf();
  const { sessionId } = await begin(contact, nameAndEmail);
  await sql()`delete from channel_contacts where id = ${contact.id}`;
  await reply(contact, sessionId, "Ana");

  expect((await saidSteps(sessionId)).map(({ revision }) => revision)).toEqual([1]);
});

test("a step after a time-out is rendered with the contact's data", async () => {
  const contact = await contactOf({ name: "Ana" });
  const flow = flowOf(
    [asks("text input", { timeout: { after: 60, outgoingEdgeId: idOf("e1") } })],
    [
      { id: idOf("preset"), type: "Set variable", options: { variableId: idOf("Name"), type: "Contact name" } },
      says("Are you there, {{Name}}?"),
      asks("email input"),
    ],
  );
  const { sessionId } = await begin(contact, flow);
  await world.pass(61);

  await waitFor(async () => (await saidSteps(sessionId)).length === 2);
  const [last] = await sql()<[{ text: string }]>`
    select response -> 'messages' -> 0 -> 'content' ->> 'plainText' as text
    from steps
    where session_id = ${sessionId} and revision = 2`;
  expect((await stateOf(sessionId)).contact?.id).toBe(contact.id);
  expect(last.text).toContain("Ana");
});

test("a contact's chat continues without a request after a pause of five seconds", async () => {
  const contact = await contactOf();
  const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "5", shouldPause: true } };
  const { sessionId } = await begin(contact, flowOf([says("One moment"), wait, says("Here"), asks("text input")]));
  expect(await world.rows()).toEqual(["wait"]);
  await world.pass(6);

  await waitFor(async () => (await saidSteps(sessionId)).length === 2);
});

test("the contact's data fills the declared variables", async () => {
  const contact = await contactOf({ name: "Ana", username: "ana", phone: "4915112345678", language: "de" });
  const names = ["contactName", "contactPhone", "contactUsername", "contactId", "contactLanguage", "channel"];
  const presets = ["Environment name", "Phone number", "Contact name", "Referral Source ID", "Device type"];
  const given = flowOf([
    ...presets.map((type) => ({
      id: idOf(type),
      type: "Set variable",
      options: { variableId: idOf(`v ${type}`), type },
    })),
    asks("text input"),
  ]);
  const variables = [
    ...names.map((name) => ({ id: idOf(name), name })),
    ...presets.map((type) => ({ id: idOf(`v ${type}`), name: type })),
    { id: idOf("connectionName"), name: "connectionName" },
    { id: idOf("startPayload"), name: "startPayload" },
  ];
  const { resultId } = await begin({ ...contact, startPayload: "spring" }, { ...given, variables });

  expect(await valuesOf(resultId)).toEqual({
    contactName: "Ana",
    contactPhone: "+4915112345678",
    contactUsername: "ana",
    contactId: contact.id,
    contactLanguage: "de",
    channel: "telegram",
    connectionName: "Shop",
    startPayload: "spring",
    "Environment name": "telegram",
    "Phone number": "4915112345678",
    "Contact name": "Ana",
  });
});

test("a step stores the contact's data only if the data has changed", async () => {
  const contact = await contactOf({ name: "Ana" });
  const flow = flowOf([asks("text input"), asks("email input"), asks("number input"), says("Thanks")]);
  const { sessionId } = await begin(contact, flow);
  await reply(contact, sessionId, "one");
  await reply({ ...contact, name: "Anna" }, sessionId, "a@example.com");

  const rows = await sql()<{ inputs: string }[]>`
    select inputs from steps where session_id = ${sessionId} order by revision`;
  expect(rows.map(({ inputs }) => readInputs(inputs).contact?.name)).toEqual(["Ana", undefined, "Anna"]);
  const state = await stateOf(sessionId);
  expect(state.format).toBe(2);
  expect(state.contact?.name).toBe("Anna");
});

test("a visitor's chat is stored without contact data", async () => {
  const workspaceId = await world.api.makeWorkspace(world.owner);
  const bot = await publish(world.api.client, { token: world.owner.token, workspaceId }, nameAndEmail);
  const sessionId = (await start(world.api.client, bot.publicId)).text("sessionId");

  const state = await stateOf(sessionId);
  expect(state.format).toBe(1);
  expect("contact" in state).toBe(false);
});

test("blocks that need a browser are skipped and logged once per chat", async () => {
  const contact = await contactOf();
  const code = { id: idOf("code"), type: "Code", options: { content: "console.log(1)" } };
  const embed = {
    id: idOf("embed"),
    type: "embed",
    content: { url: "https://example.com", waitForEvent: { isEnabled: true, name: "done" } },
  };
  const expression = { expressionToEvaluate: "1 + 1", isExecutedOnClient: true };
  const sum = { id: idOf("sum"), type: "Set variable", options: { variableId: idOf("Name"), ...expression } };
  const flow = flowOf([code, embed, sum, says("{{Name}}"), { ...asks("text input"), outgoingEdgeId: idOf("again") }]);
  const again = { id: idOf("again"), from: { blockId: idOf("asks text input") }, to: { groupId: idOf("g0") } };
  const { sessionId, response, resultId } = await begin(contact, { ...flow, edges: [...flow.edges, again] });
  const second = await reply(contact, sessionId, "again");

  expect(JSON.parse(response)).toMatchObject({ clientSideActions: [], input: { type: "text input" } });
  expect(second).toContain('"plainText":"2"');
  expect(
    (await world.logs(resultId)).filter((text) => text === "Blocks of this type do not run on messengers"),
  ).toHaveLength(2);
});

/** A body for each public chat operation with a session in its path. */
const bodies: Readonly<Record<string, object>> = {
  continueChat: { message: "Ana" },
  getSession: {},
  goBack: {},
  tryAgain: {},
  stopAnswer: {},
  rateAnswer: { blockId: "asks", revision: 1, isGood: true },
  listSuggestions: { blockId: "asks", text: "Berlin" },
  saveClientLogs: { clientLogs: [{ description: "It failed" }] },
  typebotSaveClientLogs: { clientLogs: [{ description: "It failed" }] },
  typebotStreamMessage: {},
  watchSession: {},
};

test("the chat API treats a contact's chat as a chat that does not exist", async () => {
  const contact = await contactOf();
  const { sessionId } = await begin(contact, nameAndEmail);
  const unknown = newId();
  const spelled = operations
    .flatMap((operation) => (operation.compatible ? [operation, operation.compatible] : [operation]))
    .filter(({ host, path }) => host === "chat" && path.includes(":sessionId"));
  const answerOf = async ({ method, path }: { method: string; path: string }, id: string, body: object) => {
    const request = new Request(`http://localhost${path.replace(":sessionId", id)}`, {
      method,
      headers: { "Content-Type": "application/json" },
      ...(method !== "GET" && { body: JSON.stringify(body) }),
    });
    const response = await world.api.handle(request);
    const text = (await response.text()).replaceAll(id, "<id>").replace(/"requestId":"[^"]*"/, "");
    return { status: response.status, text };
  };
  const wrong: string[] = [];
  for (const operation of spelled) {
    const body = bodies[operation.id];
    if (!body) {
      wrong.push(`${operation.id} has no body in this test`);
      continue;
    }
    const [ours, theirs] = [await answerOf(operation, sessionId, body), await answerOf(operation, unknown, body)];
    if (theirs.status !== 404)
      wrong.push(`${operation.id}: an unknown session is answered ${theirs.status} ${theirs.text}`);
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) wrong.push(`${operation.id}: ${ours.status} ${ours.text}`);
  }
  expect(wrong).toEqual([]);
});

test("an upload to a contact's chat is rejected with `session.not_found`", async () => {
  const contact = await contactOf();
  const { sessionId } = await begin(contact, flowOf([asks("file input")]));
  const body = { sessionId, fileName: "a.pdf", fileType: "application/pdf" };
  const asked = await world.api.client.post("/api/v2/generate-upload-url", { body });
  expect(asked.text("code")).toBe("session.not_found");
});

test("a contact cannot continue the chat of a visitor or of another contact", async () => {
  const [contact, other] = [await contactOf(), await contactOf({ name: "Bo" })];
  const { publicId, sessionId } = await begin(contact, nameAndEmail);
  const visitors = (await start(world.api.client, publicId)).text("sessionId");

  await expect(reply(other, sessionId, "Bo")).rejects.toMatchObject({ code: "session.not_found" });
  await expect(reply(contact, visitors, "Ana")).rejects.toMatchObject({ code: "session.not_found" });
  expect((await say(world.api.client, visitors, "Ana")).status).toBe(200);
});
