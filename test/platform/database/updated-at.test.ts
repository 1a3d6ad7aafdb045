import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { putResult } from "../../support/results.ts";

// A writer sends the `updatedAt` that they have seen, so the value must grow with each change, even if the clock steps
// far back.

let api: TestApi;
let owner: TestUser;
let friend: TestUser;
let workspaceId: string;
let botId: string;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser({ scope: "admin" });
  friend = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner, { [friend.userId]: "MEMBER" });
  const bot = { name: "Chat", ...flowOf([says("Hello"), asks("text input")]) };
  botId = (await send("POST", "bots", { workspaceId, bot })).text("bot.id");
});
afterAll(() => api.close());

async function send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body: object = {}) {
  const answer = await api.client.send(method, `/api/v1/${path}`, { token: owner.token, body });
  expect({ path, status: answer.status, code: answer.at("code") }).toEqual({ path, status: 200, code: undefined });
  return answer;
}

/** Returns the sum of all times of a table, which decreases if any time decreases. */
async function timesOf(table: string): Promise<number> {
  const [row] = await api.deps.sql<[{ sum: number }]>`
    select sum(extract(epoch from updated_at))::float8 as sum
    from ${api.deps.sql(table)}`;
  return row.sum;
}

type Change = { readonly of: string; readonly prepare?: () => Promise<string>; make(id: string): Promise<unknown> };

const inWorkspace = (rest = "") => `workspaces/${workspaceId}${rest}`;
const inBot = (rest = "") => `bots/${botId}${rest}`;
const share = (type: string) => send("PUT", inBot(`/collaborators/${friend.userId}`), { type });
const keepSecret = (body: object) => send("PUT", inWorkspace("/secrets/KEY"), body);
const keepConversation = (title: string) =>
  send("PUT", inBot("/testConversations/greets"), {
    conversation: { title, turns: [{ expect: { shows: ["Hello"], asks: "text input" } }] },
  });

const changes: Record<string, Change> = {
  "a user who changes their name": { of: "users", make: () => send("PATCH", "users/me", { name: "Ada" }) },
  "a user whom an administrator renames": {
    of: "users",
    make: () => send("PATCH", `users/${friend.userId}`, { name: "Eve" }),
  },
  "a workspace with a new name": { of: "workspaces", make: () => send("PATCH", inWorkspace(), { name: "Ours" }) },
  "a member with a new role": {
    of: "members",
    make: () => send("PUT", inWorkspace(`/members/${friend.userId}`), { role: "ADMIN" }),
  },
  "a collaborator with a new right": {
    of: "collaborators",
    prepare: async () => (await share("READ")).text("collaborator.type"),
    make: () => share("WRITE"),
  },
  "a credential with a new name": {
    of: "credentials",
    async prepare() {
      const body = { type: "openai", name: "Ours", data: { apiKey: "sk-planted-0123456789" } };
      return (await send("POST", inWorkspace("/credentials"), body)).text("credentials.id");
    },
    make: (id) => send("PATCH", inWorkspace(`/credentials/${id}`), { name: "Theirs" }),
  },
  "a secret with a new note": {
    of: "secrets",
    prepare: async () => (await keepSecret({ value: "a value that is long enough" })).text("secret.name"),
    make: () => keepSecret({ note: "Ours" }),
  },
  "a theme with a new name": {
    of: "theme_templates",
    prepare: async () =>
      (await send("POST", inWorkspace("/theme-templates"), { name: "Autumn", theme: {} })).text("themeTemplate.id"),
    make: (id) => send("PATCH", inWorkspace(`/theme-templates/${id}`), { name: "Winter" }),
  },
  "a test conversation with a new title": {
    of: "test_conversations",
    prepare: async () => (await keepConversation("Greets")).text("testConversation.name"),
    make: () => keepConversation("Greets again"),
  },
  "a bot with a new name": { of: "bots", make: () => send("PATCH", inBot(), { bot: { name: "Named" } }) },
  "a bot that is published": { of: "bots", make: () => send("POST", inBot("/publish")) },
  "a bot whose draft is restored": {
    of: "bots",
    async prepare() {
      await send("POST", inBot("/publish"));
      return (await send("PATCH", inBot(), { bot: { groups: flowOf([says("Bye")]).groups } })).text("bot.id");
    },
    make: () => send("POST", inBot("/publications/1/restore")),
  },
  "a result in the bin": {
    of: "results",
    prepare: async () => (await putResult(api.deps.sql, botId)).resultId,
    make: (id) => send("DELETE", inBot(`/results/${id}`)),
  },
  "a user who is deactivated": { of: "users", make: () => send("POST", `users/${friend.userId}/deactivate`) },
  "a bot in the bin": { of: "bots", make: () => send("DELETE", inBot()) },
  "a workspace in the bin": { of: "workspaces", make: () => send("DELETE", inWorkspace()) },
};

test.each(Object.entries(changes))("%s gets a later updatedAt, even if the clock was set back", async (_, change) => {
  const id = (await change.prepare?.()) ?? "";
  const before = await timesOf(change.of);
  await moveClock(api.deps.sql, -86_400);
  await change.make(id);
  await moveClock(api.deps.sql, 0);

  expect(await timesOf(change.of)).toBeGreaterThan(before);
});
