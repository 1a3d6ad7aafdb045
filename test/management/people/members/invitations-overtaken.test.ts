import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { hashToken } from "../../../../src/management/access/tokens.ts";
import { acceptAsUser } from "../../../../src/management/people/members/invitations.sql.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";

let api: TestApi;
let owner: TestUser;
let inviter: TestUser;
let administrator: TestUser;
let workspaceId: string;
let people = 0;

beforeAll(async () => {
  api = await createTestApi();
  [owner, administrator] = await Promise.all([api.makeUser(), api.makeUser({ scope: "admin" })]);
});
beforeEach(async () => {
  inviter = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner, { [inviter.userId]: "ADMIN" });
});
afterAll(() => api.close());

const nextEmail = () => `person-${people++}@example.com`;
const place = () => `/api/v1/workspaces/${workspaceId}`;
const send = (user: TestUser, path: string, body: unknown = {}) => api.client.post(path, { token: user.token, body });
const invite = (user: TestUser, body: unknown = { email: nextEmail(), role: "ADMIN" }) =>
  send(user, `${place()}/invitations`, body);
const accept = async (code: string, token?: string) => {
  const { status, body } = await api.client.post("/api/v1/invitations/accept", { token, body: { code, name: "Ada" } });
  return { status, body };
};
const gone = { status: 404, body: { code: "invitation.not_found" } };
const accepted = { status: 200 };

async function openInvitations(): Promise<number> {
  return (await api.client.get(`${place()}/invitations`, { token: owner.token })).list("invitations").length;
}

async function makeBot(): Promise<string> {
  return (await send(owner, "/api/v1/bots", { workspaceId, bot: {} })).text("bot.id");
}

async function inviteToBot(botId: string, user = owner): Promise<string> {
  const path = `/api/v1/bots/${botId}/collaborators`;
  const body = { email: nextEmail(), type: "WRITE" };
  return (await api.client.put(path, { token: user.token, body })).text("invitation.code");
}

describe("an invitation whose inviter may no longer invite", () => {
  const member = () => `${place()}/members/${inviter.userId}`;

  test.each([
    ["was removed", () => api.client.delete(member(), { token: owner.token })],
    ["left", () => api.client.delete(member(), { token: inviter.token })],
    ["became a MEMBER", () => api.client.put(member(), { token: owner.token, body: { role: "MEMBER" } })],
  ])("an invitation to a workspace is no longer accepted or listed: the inviter %s", async (_, end) => {
    const code = (await invite(inviter)).text("invitation.code");
    const toBot = await inviteToBot(await makeBot(), inviter);
    expect(await openInvitations()).toBe(2);
    expect((await end()).status).toBe(200);
    expect(await accept(code)).toMatchObject(gone);
    const isMember = (await api.client.get(`${place()}/members`, { token: owner.token })).list("members").length === 2;
    // A MEMBER may still invite people to bots.
    expect(await openInvitations()).toBe(isMember ? 1 : 0);
    expect(await accept(toBot)).toMatchObject(isMember ? accepted : gone);
  });

  test("an invitation is not accepted while the inviter is deactivated", async () => {
    const code = (await invite(inviter)).text("invitation.code");
    await send(administrator, `/api/v1/users/${inviter.userId}/deactivate`);
    expect(await accept(code)).toMatchObject(gone);
    expect(await openInvitations()).toBe(0);
    await send(administrator, `/api/v1/users/${inviter.userId}/activate`);
    expect(await accept(code)).toMatchObject(accepted);
  });

  test("only the new code is valid if an invitation by a removed ADMIN is repeated", async () => {
    const email = nextEmail();
    const former = (await invite(inviter, { email })).text("invitation.code");
    await api.client.delete(member(), { token: owner.token });
    const code = (await invite(owner, { email })).text("invitation.code");
    expect(await accept(former)).toMatchObject(gone);
    expect(await accept(code)).toMatchObject(accepted);
  });

  test("the removal of an inviter does not affect other people's invitations", async () => {
    const codes = [await invite(owner), await invite(owner)].map((made) => made.text("invitation.code"));
    await api.client.delete(member(), { token: owner.token });
    await api.deps.sql`update invitations set invited_by = null where code_hash = ${hashToken(codes[0] ?? "")}`;
    for (const code of codes) expect(await accept(code)).toMatchObject(accepted);
  });
});

describe("an invitation to a bot", () => {
  test("an invitation to a bot is refused while the bot is in the bin", async () => {
    const botId = await makeBot();
    const code = await inviteToBot(botId);
    await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });
    const [before] = await api.deps.sql`select count(*)::int as count from users`;
    expect(await accept(code)).toMatchObject(gone);
    expect((await api.deps.sql`select count(*)::int as count from users`)[0]).toEqual(before);
    await send(owner, `/api/v1/bots/${botId}/restore`);
    expect(await accept(code)).toMatchObject(accepted);
  });

  test("an invitation to a bot is cancelled when the bot moves to another workspace", async () => {
    const botId = await makeBot();
    const code = await inviteToBot(botId);
    const elsewhere = await api.makeWorkspace(owner);
    expect((await send(owner, `/api/v1/bots/${botId}/move`, { workspaceId: elsewhere })).status).toBe(200);
    expect(await accept(code)).toMatchObject(gone);
  });
});

describe("a workspace", () => {
  test("people can join a suspended workspace by an invitation", async () => {
    const botId = await makeBot();
    const code = (await invite(owner)).text("invitation.code");
    await api.deps.sql`update workspaces set is_suspended = true where id = ${workspaceId}`;
    const { status, body } = await accept(code);
    expect({ status, body }).toMatchObject({ ...accepted, body: { member: { role: "ADMIN" } } });
    const token = JSON.parse(JSON.stringify(body)).apiToken.token;
    expect((await api.client.get(`/api/v1/bots/${botId}`, { token })).at("code")).toBe("workspace.suspended");
  });

  test("people cannot join a workspace in the bin", async () => {
    const code = (await invite(owner)).text("invitation.code");
    await api.client.delete(place(), { token: owner.token });
    expect(await accept(code)).toMatchObject(gone);
    await send(owner, `${place()}/restore`);
    expect(await accept(code)).toMatchObject(gone);
  });
});

describe("concurrent requests", () => {
  test("a code that is replaced during its acceptance does not grant the new role", async () => {
    const user = await api.makeUser();
    const former = hashToken((await invite(owner, { email: user.email, role: "GUEST" })).text("invitation.code"));
    // Repeat the invitation with a higher role after its first code was looked up.
    await invite(owner, { email: user.email, role: "ADMIN" });
    expect(await acceptAsUser(api.deps.sql, { codeHash: former, userId: user.userId })).toBe(false);
    expect(await openInvitations()).toBe(1);
  });

  test("only one of three acceptances and a concurrent withdrawal succeeds", async () => {
    for (let round = 0; round < 5; round++) {
      const made = await invite(owner);
      const withdrawal = api.client.delete(`${place()}/invitations/${made.text("invitation.id")}`, {
        token: owner.token,
      });
      const code = made.text("invitation.code");
      const answers = await Promise.all([accept(code), withdrawal, accept(code), accept(code)]);
      // Status 401 means that the first acceptance has just created the user.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 404 || status === 401)).toHaveLength(3);
      expect(await openInvitations()).toBe(0);
    }
  });

  test("an invitation is refused exactly at its expiry, and accepted before", async () => {
    const [early, late] = [await invite(owner), await invite(owner)];
    const end = (made: typeof early, seconds: number) => api.deps.sql`
      update invitations set expires_at = clock() + ${seconds} * interval '1 second' where id = ${made.text("invitation.id")}`;
    await Promise.all([end(early, 0), end(late, 60)]);
    expect(await accept(early.text("invitation.code"))).toMatchObject(gone);
    expect(await accept(late.text("invitation.code"))).toMatchObject(accepted);
  });

  test("accepting an invitation keeps a role that was assigned in the meantime", async () => {
    const user = await api.makeUser();
    const code = (await invite(owner, { email: user.email, role: "ADMIN" })).text("invitation.code");
    const member = `${place()}/members/${user.userId}`;
    await api.client.put(member, { token: owner.token, body: { role: "MEMBER" } });
    expect(await accept(code, user.token)).toMatchObject({ ...accepted, body: { member: { role: "MEMBER" } } });
  });
});
