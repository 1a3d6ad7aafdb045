import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

/** A change of a bot or its chat, and the rejection of the next start or reply. */
type Refusal = {
  readonly title: string;
  readonly change: string;
  readonly on: "start" | "reply";
  readonly status: number;
  readonly code: string;
};

type Met = { readonly publicId: string; readonly sessionId: string; readonly origin: string };
type Chat = { readonly botId: string; readonly workspaceId: string; readonly met: Met };

const refusals: readonly Refusal[] = await Bun.file(`${import.meta.dir}/chat-refusals-vectors.json`).json();
const allowed = "https://good.example";

let api: TestApi;
let threads: Threads;
let owner: TestUser;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

test.each(refusals.map((refusal) => [refusal.on, refusal.title, refusal] as const))(
  "a %s is refused for %s",
  async (on, _title, { change, status, code }) => {
    const chat = await chatted();
    const { publicId, sessionId, origin } = { ...chat.met, ...(await changes[change]?.(chat)) };
    const options = { headers: { Origin: origin } };

    const answer = await (on === "start"
      ? start(api.client, publicId, {}, options)
      : say(api.client, sessionId, "x", options));

    expect(answer).toMatchObject({ status, body: { code } });
  },
);

test("every refusal names a change that the test can apply", () => {
  expect(refusals.filter(({ change }) => !changes[change])).toEqual([]);
});

/** The functions that make the changes, by name. Each returns the values that the next request uses. */
const changes: Readonly<Record<string, (chat: Chat) => Promise<Partial<Met>>>> = {
  unknown: async () => ({ publicId: "no-such-bot", sessionId: newId() }),
  unpublished: async ({ botId }) => done(api.client.post(`/api/v1/bots/${botId}/unpublish`, asOwner({}))),
  deleted: async ({ botId }) => done(api.client.delete(`/api/v1/bots/${botId}`, asOwner())),
  closed: async ({ botId }) =>
    done(api.client.patch(`/api/v1/bots/${botId}`, asOwner({ bot: { isClosed: true }, overwrite: true }))),
  suspended: async ({ workspaceId }) =>
    done(api.deps.sql`update workspaces set is_suspended = true where id = ${workspaceId}`),
  expired: async ({ met: { sessionId } }) =>
    done(
      api.deps.sql`update sessions set expires_at = clock() where shard = ${shardOf(sessionId)} and id = ${sessionId}`,
    ),
  over: async ({ met: { sessionId, origin } }) =>
    done(say(api.client, sessionId, "the only answer", { headers: { Origin: origin } })),
  "foreign origin": async () => ({ origin: "https://evil.example" }),
};

async function chatted(): Promise<Chat> {
  const workspaceId = await api.makeWorkspace(owner);
  const flow = { ...flowOf([asks("text input")]), settings: { security: { allowedOrigins: [allowed] } } };
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, flow);
  const started = await start(api.client, publicId, {}, { headers: { Origin: allowed } });
  return { botId, workspaceId, met: { publicId, sessionId: started.text("sessionId"), origin: allowed } };
}

async function done(change: PromiseLike<unknown>): Promise<Partial<Met>> {
  await change;
  return {};
}

function asOwner(body?: object) {
  return { token: owner.token, ...(body && { body }) };
}
