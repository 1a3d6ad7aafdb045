import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { valueAt } from "../../../support/client.ts";

let api: TestApi;
let owner: TestUser;
let member: TestUser;
let guest: TestUser;
let stranger: TestUser;
let path: string;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  [owner, member, guest, stranger] = await Promise.all([
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
  ]);
});
beforeEach(async () => {
  workspaceId = await api.makeWorkspace(owner, { [member.userId]: "MEMBER", [guest.userId]: "GUEST" });
  path = `/api/v1/workspaces/${workspaceId}/members`;
});
afterAll(() => api.close());

async function roles(): Promise<Record<string, string>> {
  const rows = await api.deps.sql<{ role: string; email: string }[]>`
    select role, email from members join users on users.id = user_id where workspace_id = ${workspaceId}`;
  return Object.fromEntries(rows.map(({ email, role }) => [email, role]));
}
const untouched = () => ({ [owner.email]: "ADMIN", [member.email]: "MEMBER", [guest.email]: "GUEST" });

describe("GET members", () => {
  test("GET members lists every member once, page by page", async () => {
    const first = await api.client.get(path, { token: member.token, query: { limit: 2 } });
    const query = { limit: 2, cursor: first.text("nextCursor") };
    const second = await api.client.get(path, { token: member.token, query });
    const members = [...first.list("members"), ...second.list("members")];
    const listed = members.map((entry) => [valueAt(entry, "user.email"), valueAt(entry, "role")]);
    expect(listed.sort()).toEqual(Object.entries(untouched()).sort());
    expect(first.at("members.0.workspaceId")).toBe(workspaceId);
    expect(second.body).not.toHaveProperty("nextCursor");
  });
});

describe("PUT members", () => {
  test("PUT members by id hides an e-mail address that the caller may not see", async () => {
    const put = async (userId: string, token: string, of = path) =>
      (await api.client.put(`${of}/${userId}`, { token, body: { role: "MEMBER" } })).at("member.user.email");
    const unknown = await api.makeUser();
    expect(await put(unknown.userId, owner.token)).toBeNull();
    expect(await put(unknown.userId, owner.token)).toBe(unknown.email);
    expect(await put(member.userId, owner.token)).toBe(member.email);

    // The address is also shown to users who share another workspace, but not for a token that is bound to this
    // workspace.
    const second = await api.makeWorkspace(owner);
    const shared = await api.makeUser();
    await api.makeWorkspace(shared, { [owner.userId]: "MEMBER" });
    const bound = await api.makeToken(owner.userId, { workspaceId: second });
    const there = `/api/v1/workspaces/${second}/members`;
    expect(await put(shared.userId, bound, there)).toBeNull();
    await api.client.delete(`${there}/${shared.userId}`, { token: owner.token });
    expect(await put(shared.userId, owner.token, there)).toBe(shared.email);

    // A GUEST sees no members of a workspace.
    const host = await api.makeUser();
    await api.makeWorkspace(host, { [owner.userId]: "GUEST" });
    expect(await put(host.userId, owner.token, there)).toBeNull();
    const administrator = await api.makeUser({ scope: "admin" });
    const own = await api.makeWorkspace(administrator);
    expect(await put(host.userId, administrator.token, `/api/v1/workspaces/${own}/members`)).toBe(host.email);
  });

  test("a request by e-mail address does not reveal whether an account exists", async () => {
    const answers = [];
    for (const email of [stranger.email, "nobody@example.com"]) {
      const answer = await api.client.put(path, { token: owner.token, body: { email, role: "MEMBER" } });
      answers.push(
        JSON.stringify(answer.body)
          .replaceAll(email, "…")
          .replaceAll(/"(id|code|\w+At)":"[^"]+"/g, '"$1":…'),
      );
      expect(answer.body).toMatchObject({
        member: null,
        invitation: { email, role: "MEMBER", code: expect.any(String) },
      });
    }
    expect(answers[0]).toBe(answers[1] ?? "");
    expect(await roles()).toEqual(untouched());
  });

  test("PUT members adds the person who accepts an e-mail invitation", async () => {
    const made = await api.client.put(path, { token: owner.token, body: { email: stranger.email, role: "MEMBER" } });
    const body = { code: made.text("invitation.code"), name: "x" };
    await api.client.post("/api/v1/invitations/accept", { token: stranger.token, body });
    expect(await roles()).toEqual({ ...untouched(), [stranger.email]: "MEMBER" });
  });

  test("PUT members by e-mail address changes the role of a member", async () => {
    const body = { email: guest.email.toUpperCase(), role: "MEMBER" };
    const answer = await api.client.put(path, { token: owner.token, body });
    expect(answer.body).toMatchObject({ member: { userId: guest.userId, role: "MEMBER" }, invitation: null });
    const demoted = await api.client.put(path, { token: owner.token, body: { email: owner.email, role: "GUEST" } });
    expect(demoted.at("code")).toBe("member.last_admin");
    expect(await roles()).toEqual({ ...untouched(), [guest.email]: "MEMBER" });
  });

  test("PUT members adds a user by id, and changes the role of a member", async () => {
    await api.client.put(`${path}/${stranger.userId}`, { token: owner.token, body: { role: "GUEST" } });
    const changed = await api.client.put(`${path}/${member.userId}`, { token: owner.token, body: { role: "ADMIN" } });
    expect(changed.text("member.updatedAt") > changed.text("member.createdAt")).toBe(true);
    expect(await roles()).toEqual({ ...untouched(), [stranger.email]: "GUEST", [member.email]: "ADMIN" });
  });

  test("PUT members lets an ADMIN step down if another ADMIN exists", async () => {
    await api.client.put(`${path}/${member.userId}`, { token: owner.token, body: { role: "ADMIN" } });
    const answer = await api.client.put(`${path}/${owner.userId}`, { token: owner.token, body: { role: "MEMBER" } });
    expect(answer.at("member.role")).toBe("MEMBER");
  });

  test("PUT members refuses to demote the last ADMIN", async () => {
    const refused = await api.client.put(`${path}/${owner.userId}`, { token: owner.token, body: { role: "GUEST" } });
    expect(refused.at("code")).toBe("member.last_admin");
    const same = await api.client.put(`${path}/${owner.userId}`, { token: owner.token, body: { role: "ADMIN" } });
    expect(same.status).toBe(200);
    expect(await roles()).toEqual(untouched());
  });

  test("PUT members keeps one of two ADMINs who demote each other", async () => {
    for (let round = 0; round < 10; round++) {
      await api.deps.sql`update members set role = 'ADMIN' where workspace_id = ${workspaceId} and role <> 'GUEST'`;
      await Promise.all([
        api.client.put(`${path}/${member.userId}`, { token: owner.token, body: { role: "MEMBER" } }),
        api.client.put(`${path}/${owner.userId}`, { token: member.token, body: { role: "MEMBER" } }),
      ]);
      expect(Object.values(await roles())).toContain("ADMIN");
    }
  });

  test("PUT members rejects a user who does not exist on this instance", async () => {
    for (const userId of [newId(), "nope"]) {
      const answer = await api.client.put(`${path}/${userId}`, { token: owner.token, body: { role: "MEMBER" } });
      expect(answer.at("code")).toBe("user.not_found");
    }
    expect(await roles()).toEqual(untouched());
  });

  test.each(["OWNER", "admin", "", null, 1])("PUT members rejects the role %p", async (role) => {
    const answer = await api.client.put(`${path}/${member.userId}`, { token: owner.token, body: { role } });
    expect(answer.at("data.issues")).toEqual([{ path: "role", message: "must be one of ADMIN, MEMBER, GUEST" }]);
  });
});

describe("DELETE members", () => {
  const remove = (by: TestUser, user: { userId: string }) =>
    api.client.delete(`${path}/${user.userId}`, { token: by.token });

  test("DELETE members ends a membership only in this workspace", async () => {
    const elsewhere = await api.makeWorkspace(owner);
    const bots = [workspaceId, elsewhere].map((workspace) => ({ workspace, botId: newId() }));
    for (const { workspace, botId } of bots) {
      await api.deps.sql`
        insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings)
        values (${botId}, ${workspace}, '6', 'Bot', '[]', '[]', '[]', '{}', '{}')`;
      await api.deps.sql`
        insert into collaborators (bot_id, user_id, type) values (${botId}, ${guest.userId}, 'READ')`;
    }
    expect((await remove(owner, guest)).body).toMatchObject({ member: { userId: guest.userId, role: "GUEST" } });
    expect((await api.client.get(`/api/v1/workspaces/${workspaceId}`, { token: guest.token })).status).toBe(404);
    const left = await api.deps
      .sql`select workspace_id from collaborators join bots on bots.id = bot_id where user_id = ${guest.userId}`;
    expect(left.map((row) => row["workspaceId"])).toEqual([elsewhere]);
  });

  test("DELETE members withdraws the invitations to the member's address", async () => {
    const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/invitations`, {
      token: owner.token,
      body: { email: guest.email.toUpperCase(), role: "ADMIN" },
    });
    await remove(owner, guest);
    const body = { code: made.text("invitation.code"), name: "x" };
    const answer = await api.client.post("/api/v1/invitations/accept", { token: guest.token, body });
    expect(answer.at("code")).toBe("invitation.not_found");
  });

  test("DELETE members lets every member leave, except the last ADMIN", async () => {
    expect((await remove(guest, guest)).status).toBe(200);
    expect((await remove(member, member)).status).toBe(200);
    expect((await remove(owner, owner)).at("code")).toBe("member.last_admin");
    expect(await roles()).toEqual({ [owner.email]: "ADMIN" });
  });

  test("DELETE members keeps one of two ADMINs who leave simultaneously", async () => {
    await api.client.put(`${path}/${member.userId}`, { token: owner.token, body: { role: "ADMIN" } });
    const answers = await Promise.all([remove(owner, owner), remove(member, member)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("DELETE members rejects a user who is not a member", async () => {
    for (const userId of [stranger.userId, newId(), "nope"]) {
      expect((await remove(owner, { userId })).at("code")).toBe("member.not_found");
    }
  });

  test("DELETE members rejects a user without access who tries to leave", async () => {
    expect((await remove(stranger, stranger)).at("code")).toBe("workspace.not_found");
    expect(await roles()).toEqual(untouched());
  });
});
