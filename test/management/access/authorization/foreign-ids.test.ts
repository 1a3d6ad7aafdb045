import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { newId } from "../../../../src/platform/ids.ts";
import { operations } from "../../../../src/service/operations.ts";
import { createTestApi, type TestApi } from "../../../support/api.ts";
import { testKey } from "../../../support/events.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";
import { makePeople } from "./callers.ts";
import { makePlace, type Place } from "./place.ts";
import type { Call } from "./rows.ts";

type Places = { readonly mine: Place; readonly theirs: Place };
type Attempt = (places: Places) => Promise<Call>;

const botOf = async (place: Place) => ({ botId: (await place.bot()).botId });
const bringing = (bot: object) => ({
  version: "6",
  name: "Bot",
  groups: [],
  edges: [],
  variables: [],
  events: [],
  ...bot,
});

/** Calls that concern `mine`, but contain the id of an object of `theirs`. */
const attempts: Readonly<Record<string, Attempt>> = {
  "POST /api/v1/folders workspaceId": async ({ theirs }) => ({
    body: { workspaceId: theirs.workspaceId, folderName: "In" },
  }),
  "POST /api/v1/folders parentFolderId": async ({ mine, theirs }) => ({
    body: { workspaceId: mine.workspaceId, folderName: "In", parentFolderId: await theirs.folderId() },
  }),
  "PATCH /api/v1/folders/:folderId workspaceId": async ({ mine, theirs }) => ({
    params: { folderId: await mine.folderId() },
    body: { workspaceId: theirs.workspaceId, folder: { name: "Theirs" } },
  }),
  "PATCH /api/v1/folders/:folderId folder.parentFolderId": async ({ mine, theirs }) => ({
    params: { folderId: await mine.folderId() },
    body: { workspaceId: mine.workspaceId, folder: { parentFolderId: await theirs.folderId() } },
  }),
  "DELETE /api/v1/folders/:folderId workspaceId": async ({ mine, theirs }) => ({
    params: { folderId: await theirs.folderId() },
    body: { workspaceId: mine.workspaceId },
  }),
  "POST /api/v1/bots workspaceId": async ({ theirs }) => ({
    body: { workspaceId: theirs.workspaceId, bot: { name: "In" } },
  }),
  "POST /api/v1/bots bot.folderId": async ({ mine, theirs }) => ({
    body: { workspaceId: mine.workspaceId, bot: { name: "In", folderId: await theirs.folderId() } },
  }),
  "PATCH /api/v1/bots/:botId bot.folderId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { bot: { folderId: await theirs.folderId() } },
  }),
  "POST /api/v1/bots/import workspaceId": async ({ theirs }) => ({
    body: { workspaceId: theirs.workspaceId, bot: bringing({}) },
  }),
  "POST /api/v1/bots/import folderId": async ({ mine, theirs }) => ({
    body: { workspaceId: mine.workspaceId, folderId: await theirs.folderId(), bot: bringing({}) },
  }),
  "POST /api/v1/bots/import/check workspaceId": async ({ theirs }) => ({
    body: { workspaceId: theirs.workspaceId, bot: bringing({}) },
  }),
  "POST /api/v1/bots/:botId/move workspaceId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { workspaceId: theirs.workspaceId },
  }),
  "POST /api/v1/bots/:botId/move folderId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { folderId: await theirs.folderId() },
  }),
  "POST /api/v1/bots/:botId/duplicate folderId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { folderId: await theirs.folderId() },
  }),
  "POST /api/v1/bots/bulk botIds": async ({ mine, theirs }) => ({
    body: { action: "archive", botIds: [(await botOf(mine)).botId, (await botOf(theirs)).botId] },
  }),
  "POST /api/v1/bots/bulk workspaceId": async ({ mine, theirs }) => ({
    body: { action: "move", botIds: [(await botOf(mine)).botId], workspaceId: theirs.workspaceId },
  }),
  "POST /api/v1/bots/bulk folderId": async ({ mine, theirs }) => ({
    body: { action: "move", botIds: [(await botOf(mine)).botId], folderId: await theirs.folderId() },
  }),
  "POST /api/v1/bots/:botId/channelPreview sessionId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { channel: "telegram", sessionId: (await theirs.chat()).sessionId },
  }),
  "POST /api/v1/bots/:botId/testConversations/record sessionId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { sessionId: (await theirs.chat()).sessionId, name: "Theirs" },
  }),
  "POST /api/v1/bots/:botId/comments threadId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { text: "In", threadId: await theirs.commentId() },
  }),
  "PUT /api/v1/themeTemplates/:themeTemplateId workspaceId": async ({ theirs }) => ({
    params: { themeTemplateId: newId() },
    body: { workspaceId: theirs.workspaceId, name: "In", theme: {} },
  }),
  "DELETE /api/v1/themeTemplates/:themeTemplateId workspaceId": async ({ mine, theirs }) => ({
    params: { themeTemplateId: await theirs.themeTemplateId() },
    body: { workspaceId: mine.workspaceId },
  }),
  "POST /api/v1/workspaces/:workspaceId/channel-connections bots.*.botId": async ({ mine, theirs }) => ({
    params: { workspaceId: mine.workspaceId },
    body: {
      channel: "webhook",
      name: "Theirs",
      settings: { url: "https://receiver.example/messages" },
      bots: [{ botId: (await theirs.bot()).botId }],
    },
  }),
  "PATCH /api/v1/workspaces/:workspaceId/channel-connections/:connectionId bots.*.botId": async ({ mine, theirs }) => ({
    params: { workspaceId: mine.workspaceId, connectionId: await mine.connectionId() },
    body: { bots: [{ botId: (await theirs.bot()).botId }] },
  }),
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/test contactId": async ({
    mine,
    theirs,
  }) => ({
    params: { workspaceId: mine.workspaceId, connectionId: await mine.connectionId() },
    body: { contactId: await theirs.contactId(), text: "Hello" },
  }),
  "POST /api/v1/workspaces/:workspaceId/event-listeners endpointId": async ({ mine, theirs }) => ({
    params: { workspaceId: mine.workspaceId },
    body: { url: "http://localhost:4000/", endpointId: await theirs.endpointId() },
  }),
  "POST /api/v1/workspaces/:workspaceId/credentials/google/authorize credentialsId": async ({ mine, theirs }) => ({
    params: { workspaceId: mine.workspaceId },
    body: { for: "gmail", name: "Mails", credentialsId: await theirs.credentialsId() },
  }),
  "POST /api/v1/users/me/api-tokens workspaceId": async ({ theirs }) => ({
    body: { name: "In", workspaceId: theirs.workspaceId },
  }),
};

/** Calls that ignore the id, and change nothing in the other workspace. */
const inVain: Readonly<Record<string, Attempt>> = {
  // Filters the results of the caller's own bot. None of these results belongs to the contact.
  "POST /api/v1/bots/:botId/result-exports contactId": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { format: "ndjson", contactId: await theirs.contactId() },
  }),
  "POST /api/v1/bots/:botId/results/restore resultIds": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { resultIds: [(await theirs.chat()).resultId] },
  }),
  "POST /api/v1/bots/:botId/results/erase resultIds": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { resultIds: [(await theirs.chat()).resultId] },
  }),
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/receive outcomes.*.deliveryId": async ({
    mine,
    theirs,
  }) => {
    const outcome = { isDelivered: false, statusCode: 500, error: "No", response: null };
    return {
      params: { workspaceId: mine.workspaceId, endpointId: await mine.listenerId() },
      body: { outcomes: [{ deliveryId: await theirs.deliveryId(), ...outcome }] },
    };
  },
  "DELETE /api/v1/bots/:botId/results resultIds": async ({ mine, theirs }) => ({
    params: await botOf(mine),
    body: { resultIds: [(await theirs.chat()).resultId] },
  }),
};

/** Ids in bodies that do not identify an object of a workspace or are not looked up, each with its reason. */
const others: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/(tagManagerId|googleTagManagerId|publicId)$/, "of the instance, or of somebody else's service"],
  [
    /bot\.(selectedThemeTemplateId|messengerCredentialsId|workspaceId)$/,
    "stored with the bot and given back; nothing looks it up",
  ],
  [/(import|import\/check) bot\./, "of the file that is imported: the body's own ids count"],
  [/message\.metadata\.replyId$/, "the visitor's own"],
  [
    /results\/import results\.\*\.ratings\.\*\.(sessionId|blockId)$/,
    "of the service that the results come from: the ids here follow from them and from the bot",
  ],
  [/\/rating blockId$/, "a bubble of the session in the path"],
  [/\/suggestions blockId$/, "the input that the session in the path waits at"],
  [/\/comments place\.id$/, "within the flow itself, or of what was in it"],
  [/bot\.(events|edges)\.\*\./, "within the flow itself"],
  [
    /(startFrom\.(group|event|block)Id|mocks\.\*\.blockId|answers\.\*\.(block|group|variable)Id|import\/files files\.\*\.blockId)$/,
    "within the flow of the bot in the path",
  ],
  [
    /credentials(\/:credentialsId)? data\.(clientId|conversationsKeyId)$/,
    "of the workspace's account at another service",
  ],
  [/channel-connections externalId$/, "of the account at its messenger, of which the instance has one connection"],
  [/mocks\.\*\.report\.(resultId|paymentId|threadId)$/, "what a call is said to come to"],
  [/startChat resultId$/, "a visitor's secret: of another bot it is none (test/chat/routes/chat.test.ts)"],
  [/generate-upload-url (sessionId|blockId)$/, "the visitor's own session"],
  [/deactivate successorId$/, "an administrator of the instance names any user"],
];

let api: TestApi;
let threads: Threads;
let mine: Place;
let theirs: Place;
let tokens: Readonly<Record<"MEMBER" | "ADMIN", string>>;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey, RATE_LIMITS: "off" } });
  const people = await makePeople(api);
  mine = await makePlace(api, people);
  theirs = await makePlace(api, await makePeople(api));
  tokens = { MEMBER: people.member.token, ADMIN: people.admin.token };
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

function idsIn(schema: TSchema | undefined, path = "", depth = 0): string[] {
  if (!schema || depth > 5) return [];
  const found: string[] = [];
  for (const [key, value] of Object.entries(TypeGuard.IsObject(schema) ? schema.properties : {})) {
    if (/Ids?$/.test(key)) found.push(path + key);
    found.push(...idsIn(value, `${path}${key}.`, depth + 1));
  }
  if (TypeGuard.IsUnion(schema)) found.push(...schema.anyOf.flatMap((one) => idsIn(one, path, depth + 1)));
  if (TypeGuard.IsArray(schema)) found.push(...idsIn(schema.items, `${path}*.`, depth + 1));
  return found;
}

const compatiblePaths = new Set(operations.flatMap(({ compatible }) => (compatible ? [compatible.path] : [])));
const fields = operations
  .filter(({ path }) => !compatiblePaths.has(path))
  .flatMap(({ method, path, body }) => [...new Set(idsIn(body))].map((field) => `${method} ${path} ${field}`));

test("each ID field of a body is tested with another workspace's ID", () => {
  const known = new Set([...Object.keys(attempts), ...Object.keys(inVain)]);
  const untried = fields.filter((field) => !known.has(field) && !others.some(([pattern]) => pattern.test(field)));
  expect(untried).toEqual([]);
  expect([...known].filter((name) => !fields.includes(name))).toEqual([]);
});

async function allOfTheirs(): Promise<unknown> {
  const { sql } = api.deps;
  const { workspaceId } = theirs;
  const bots = await sql`select * from bots where workspace_id = ${workspaceId} order by id`;
  return {
    bots,
    folders: await sql`select * from folders where workspace_id = ${workspaceId} order by id`,
    themes: await sql`select * from theme_templates where workspace_id = ${workspaceId} order by id`,
    tokens: await sql`select id from api_tokens where workspace_id = ${workspaceId} order by id`,
    results: await sql`select * from results where bot_id = any(${bots.map(({ id }) => id)}::uuid[]) order by id`,
  };
}

async function attempt(name: string, role: keyof typeof tokens, { params = {}, body }: Call) {
  const [method = "", template = ""] = name.split(" ");
  const path = template.replace(/:(\w+)/g, (_, key) => params[key] ?? "");
  const headers = { Authorization: `Bearer ${tokens[role]}`, "Content-Type": "application/json" };
  const request = new Request(`http://localhost${path}`, { method, headers, body: JSON.stringify(body) });
  const answer = await api.handle(request);
  return { status: answer.status, text: await answer.text() };
}

describe.each(["MEMBER", "ADMIN"] as const)("a caller with the role %s", (role) => {
  // A MEMBER may create neither listeners nor connections, as the matrix of operations and callers shows.
  const known = Object.keys(attempts).filter(
    (name) => role === "ADMIN" || !/\/event-listeners |\/channel-connections.* bots/.test(name),
  );

  test.each(known)(
    "a request with an id of another workspace returns 404 and changes no bot, folder, theme, token or result there: %s",
    async (name) => {
      const call = await attempts[name]?.({ mine, theirs });
      if (!call) throw new Error(`${name} has no call`);
      const before = await allOfTheirs();
      const { status, text } = await attempt(name, role, call);
      expect({ status, text }).toEqual({
        status: 404,
        text: expect.stringMatching(
          /"code":"(workspace|folder|bot|session|comment|theme_template|event_endpoint|credentials|contact)\.not_found"/,
        ),
      });
      expect(await allOfTheirs()).toEqual(before);
    },
  );

  test.each([...Object.keys(inVain)])(
    "a request that ignores an id of another workspace changes no bot, folder, theme, token or result there: %s",
    async (name) => {
      const call = await inVain[name]?.({ mine, theirs });
      if (!call) throw new Error(`${name} has no call`);
      const before = await allOfTheirs();
      const { status } = await attempt(name, role, call);
      expect(status).toBeLessThan(500);
      expect(await allOfTheirs()).toEqual(before);
    },
  );
});
