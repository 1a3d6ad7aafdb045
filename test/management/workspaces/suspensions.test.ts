import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { listDueEndpoints } from "../../../src/management/events/delivery/lanes.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { nameAndEmail, publish, say, start } from "../../support/chat.ts";
import { putAnswer, putEndpoint } from "../../support/events.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let threads: Threads;
let api: TestApi;
let administrator: TestUser;
let owner: TestUser;
let guest: TestUser;
let workspaceId: string;
let bot: { readonly botId: string; readonly publicId: string };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  [administrator, owner, guest] = [await api.makeUser({ scope: "admin" }), await api.makeUser(), await api.makeUser()];
});
afterAll(async () => {
  await threads.close();
  await api.close();
});
beforeEach(async () => {
  workspaceId = await api.makeWorkspace(owner, { [guest.userId]: "GUEST" });
  bot = await publish(api.client, { token: owner.token, workspaceId }, nameAndEmail);
});

const reason = "Unpaid since March";
const act = (verb: string, body: object = {}, user = administrator) =>
  api.client.post(`/api/v1/workspaces/${workspaceId}/${verb}`, { token: user.token, body });
const listed = async (user: TestUser) => {
  const answer = await api.client.get("/api/v1/workspaces", { token: user.token });
  return answer.list("workspaces").find((_, index) => answer.at(`workspaces.${index}.id`) === workspaceId);
};

test("a suspended workspace's bot is reported to visitors as closed", async () => {
  const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
  const suspended = await act("suspend", { reason });

  expect(suspended.at("workspace")).toMatchObject({ isSuspended: true, suspendedReason: reason });
  const closed = { status: 403, body: { code: "workspace.suspended", message: "This bot is now closed." } };
  expect(await start(api.client, bot.publicId)).toMatchObject(closed);
  const stopped = await say(api.client, sessionId, "Ana");
  expect(stopped).toMatchObject(closed);
  expect(JSON.stringify(stopped.body)).not.toContain(reason);
  const told = await api.client.get(`/api/v1/bots/${bot.botId}`, { token: owner.token });
  expect(told).toMatchObject({
    status: 403,
    body: { code: "workspace.suspended", message: `This workspace is suspended: ${reason}`, data: { reason } },
  });
  const preview = await api.client.post(`/api/v1/bots/${bot.botId}/preview/startChat`, {
    token: owner.token,
    body: {},
  });
  expect(preview.at("data.reason")).toBe(reason);

  const resumed = await act("resume");
  expect(resumed.at("workspace")).toMatchObject({ isSuspended: false, suspendedAt: null, suspendedReason: null });
  expect((await say(api.client, sessionId, "Ana")).at("messages.0.content.plainText")).toBe(
    "Hello Ana, and your e-mail?",
  );
  expect((await api.client.get(`/api/v1/bots/${bot.botId}`, { token: owner.token })).status).toBe(200);
});

test("lists show the reason for a suspension to members, not to GUESTs", async () => {
  await act("suspend", { reason: "First" });
  const again = await act("suspend", { reason });
  const all = await api.client.get("/api/v1/workspaces/suspended", { token: administrator.token, query: { limit: 1 } });

  expect(await listed(owner)).toMatchObject({ isSuspended: true, suspendedReason: reason });
  expect(await listed(guest)).toMatchObject({ isSuspended: true, suspendedReason: null });
  expect(all.at("workspaces.0")).toMatchObject({ id: workspaceId, suspendedReason: reason });
  const seen = await api.client.get(`/api/v1/workspaces/${workspaceId}`, { token: owner.token });
  expect(seen.at("workspace.suspendedAt")).toBe(again.text("workspace.suspendedAt"));
  await act("resume");
  expect((await act("resume")).status).toBe(200);
  expect(await listed(owner)).toMatchObject({ isSuspended: false, suspendedReason: null });
});

test("suspending and resuming a workspace are logged", async () => {
  await act("suspend", { reason });
  await act("resume");
  const log = await api.client.get(`/api/v1/workspaces/${workspaceId}/audit`, { token: owner.token });

  const written = log
    .list("entries")
    .map((_, index) => [log.at(`entries.${index}.operation`), log.at(`entries.${index}.changedPaths`)]);
  expect(written.slice(0, 2)).toEqual([
    ["POST /api/v1/workspaces/{workspaceId}/resume", ["isSuspended", "suspendedReason"]],
    ["POST /api/v1/workspaces/{workspaceId}/suspend", ["isSuspended", "suspendedReason"]],
  ]);
  expect((await act("suspend", { reason }, owner)).at("code")).toBe("token.scope");
  for (const wrong of [{}, { reason: "" }, { reason: "  " }, { reason: "x".repeat(1_001) }])
    expect((await act("suspend", wrong)).at("data.issues.0.path")).toBe("reason");
});

test("events of a suspended workspace wait until the workspace is resumed", async () => {
  const { sql } = api.deps;
  const { endpointId } = await putEndpoint(sql, { url: "https://receiver.example", workspaceId });
  await putAnswer(sql, { endpointId, sessionId: newId(), content: "Ana" });
  const due = async () => (await listDueEndpoints(sql, { holder: newId(), limit: 10 })).map(({ id }) => id);

  expect(await due()).toEqual([endpointId]);
  await act("suspend", { reason });
  expect(await due()).toEqual([]);
  await act("resume");
  expect(await due()).toEqual([endpointId]);
  await sql`delete from event_endpoints where id = ${endpointId}`;
});
