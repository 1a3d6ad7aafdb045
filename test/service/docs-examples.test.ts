import { afterAll, beforeAll, expect, test } from "bun:test";
import { isJsonObject } from "../../src/core/interpreter/flow.ts";
import { botBodyExample } from "../../src/management/bots/schemas.ts";
import type { Operation } from "../../src/management/operations/operation.ts";
import { exampleId } from "../../src/platform/http/schemas.ts";
import { operations } from "../../src/service/operations.ts";
import { once } from "../../src/web/server/asset.ts";
import { makePeople, type People } from "../management/access/authorization/callers.ts";
import { makePlace, type Place } from "../management/access/authorization/place.ts";
import { rows } from "../management/access/authorization/rows.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { publish, say, start } from "../support/chat.ts";
import { testKey } from "../support/events.ts";
import { createThreads, type Threads } from "../support/threads.ts";

let api: TestApi;
let threads: Threads;
let people: People;
let adminToken: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, RATE_LIMITS: "off" },
    resolveTxt: async () => [],
    safeFetch: async () => ({ status: 200, text: '{ "data": [] }' }),
  });
  people = await makePeople(api);
  adminToken = await api.makeToken(people.administrator.userId, { scope: "admin" });
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const shown = operations.flatMap((operation) => {
  const { method, path, body, bodyType, bodyExample, query } = operation;
  const name = `${method} ${path}`;
  const isShown = (body && bodyExample !== undefined && bodyType === undefined) || queryExamples(query).length > 0;
  return isShown && name in rows ? [{ name, operation }] : [];
});

/** Examples that need more than the workspace of the test, each with the error code of its response. */
const refusals: Readonly<Record<string, string>> = {
  "POST /api/v1/invitations/accept": "invitation.not_found",
  "POST /api/v1/workspaces/:workspaceId/credentials/google/authorize": "oauth.no_client",
  "POST /api/v1/workspaces/:workspaceId/credentials/google/finish": "oauth.state_invalid",
  "POST /api/v1/bots/:botId/publications/:number/resume": "publication.not_found",
  "POST /api/v1/sessions/:sessionId/continueChat": "session.moved_on",
  "POST /api/v1/sessions/:sessionId/goBack": "session.go_back_not_allowed",
  "POST /api/v1/sessions/:sessionId/tryAgain": "session.go_back_not_allowed",
  "POST /api/v1/sessions/:sessionId/rating": "rating.not_offered",
  "POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook": "session.not_found",
  "POST /api/v1/bots/:botId/blocks/:blockId/options": "field.no_options",
  "POST /api/v1/bots/:botId/results/import/files": "result.not_found",
  "POST /api/v1/workspaces/:workspaceId/channel-connections": "channel_connection.refused",
  // The connection of the examples belongs to a webhook program, which has no token.
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/rotate": "request.invalid",
  ...Object.fromEntries(
    ["token", "link", "email", "email-code"].map((way) => [`POST /api/v1/sign-in/${way}`, "sign_in.not_here"]),
  ),
};

test.each(shown)(
  "the examples of $name are accepted, or refused with the expected error",
  async ({ name, operation }) => {
    const place = await placeOfExamples();
    const placed = await idsOf(place);
    const { params = {}, query = {}, body = {} } = (await rows[name]?.find(({ call }) => call)?.call?.(place)) ?? {};
    const filled = Object.entries(params).reduce((path, [key, id]) => path.replace(`:${key}`, id), operation.path);
    const required = Object.entries(query).filter(([key]) => operation.query.required?.includes(key));
    const ids = { ...placed, ...params, ...query, ...body };
    const refused: unknown[] = [];
    const send = async (given: Readonly<Record<string, string>>, sent: unknown) => {
      const { code, message } = await answerTo(operation, {
        filled,
        query: { ...Object.fromEntries(required), ...given },
        body: sent,
      });
      if (code !== undefined && code !== refusals[name]) refused.push({ code, message, given, sent });
    };

    const examples = queryExamples(operation.query).map(([key, example]) => [key, String(withIds(example, ids, key))]);
    for (const one of examples) await send(Object.fromEntries([one]), body);
    if (examples.length > 1) await send(Object.fromEntries(examples), body);
    if (operation.body && operation.bodyExample !== undefined) await send({}, withIds(operation.bodyExample, ids));

    expect(refused).toEqual([]);
  },
);

function queryExamples({ properties }: Operation["query"]): [string, unknown][] {
  return Object.entries(properties).flatMap(([name, { examples }]): [string, unknown][] =>
    Array.isArray(examples) ? [[name, examples[0]]] : [],
  );
}

/** Creates a workspace whose bot, previews and calls match the bot of the examples. */
async function placeOfExamples(): Promise<Place> {
  const { token } = people.admin;
  const place = await makePlace(api, people);
  const { workspaceId } = place;
  const bot = once(() => publish(api.client, { token, workspaceId }, botBodyExample));
  return {
    ...place,
    bot,
    async commentId() {
      const body = { text: "Why?", place: { kind: "place", x: 0, y: 0 } };
      const made = await api.client.post(`/api/v1/bots/${(await bot()).botId}/comments`, { token, body });
      return made.text("comment.id");
    },
    async chat() {
      const started = await start(api.client, (await bot()).publicId);
      const sessionId = started.text("sessionId");
      await say(api.client, sessionId, "Hello");
      return { sessionId, resultId: started.text("resultId") };
    },
    async preview() {
      const started = await api.client.post(`/api/v1/bots/${(await bot()).botId}/preview/startChat`, {
        token,
        body: {},
      });
      return started.text("sessionId");
    },
    async calling() {
      const call = { id: "call", type: "Webhook", options: { webhook: { url: "https://outside.example/" } } };
      const groups = [{ ...botBodyExample.groups[0], blocks: [call] }];
      return { ...(await publish(api.client, { token, workspaceId }, { ...botBodyExample, groups })), blockId: "call" };
    },
  };
}

async function idsOf(place: Place): Promise<Readonly<Record<string, unknown>>> {
  const folderId = await place.folderId();
  return {
    ...{ workspaceId: place.workspaceId, folderId, parentFolderId: folderId },
    ...{ userId: await place.somebody(), successorId: people.admin.userId },
  };
}

/**
 * Returns the example with its placeholder ids replaced by ids of the workspace, according to the names of the members.
 */
function withIds(example: unknown, ids: Readonly<Record<string, unknown>>, key = ""): unknown {
  if (example === exampleId) return ids[key] ?? ids[key.replace(/s$/, "")] ?? example;
  if (Array.isArray(example) && example.includes(exampleId)) return ids[key] ?? example;
  if (Array.isArray(example)) return example.map((one) => withIds(one, ids));
  if (!isJsonObject(example)) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, withIds(value, ids, name)]));
}

async function answerTo(
  { method, auth }: Operation,
  { filled, query, body }: { filled: string; query: Readonly<Record<string, string>>; body: unknown },
): Promise<{ code?: string; message?: string }> {
  const url = new URL(filled, "http://localhost");
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const token = auth.scope === "admin" ? adminToken : people.admin.token;
  const response = await api.handle(
    new Request(url, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(method !== "GET" && { body: JSON.stringify(body) }),
    }),
  );
  if (response.status !== 200) return JSON.parse(await response.text());
  await response.body?.cancel();
  return {};
}
