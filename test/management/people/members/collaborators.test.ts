import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let botId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser({ name: "Owner" });
  workspaceId = await api.makeWorkspace(owner);
  botId = (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: {} } })).text(
    "bot.id",
  );
});
afterAll(() => api.close());

describe("collaborators", () => {
  test("collaborators can be added, listed, changed and removed", async () => {
    const friend = await api.makeUser({ name: "Friend" });
    const added = await put(friend.userId, "READ");
    expect(added.body).toEqual({
      collaborator: {
        botId,
        userId: friend.userId,
        type: "READ",
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        // The two users share no workspace yet, and an id must not reveal a user's address.
        user: { name: "Friend", email: null },
      },
    });
    expect((await list()).at("collaborators")).toMatchObject([{ userId: friend.userId, type: "READ" }]);
    expect((await api.client.get(`/api/v1/bots/${botId}`, { token: friend.token })).at("currentUserMode")).toBe("read");

    const changed = await put(friend.userId, "WRITE");
    expect(changed.at("collaborator")).toMatchObject({ type: "WRITE", createdAt: added.at("collaborator.createdAt") });
    expect(changed.at("collaborator.user.email")).toBe(friend.email);
    expect(changed.text("collaborator.updatedAt") > added.text("collaborator.updatedAt")).toBe(true);

    expect((await remove(friend.userId)).body).toEqual({ message: "success" });
    expect((await list()).at("collaborators")).toEqual([]);
    expect((await api.client.get(`/api/v1/bots/${botId}`, { token: friend.token })).at("code")).toBe("bot.not_found");
  });

  test("collaborators become GUESTs of the workspace", async () => {
    const friend = await api.makeUser();
    await put(friend.userId, "READ");
    const bots = await api.client.get("/api/v1/bots", { token: friend.token, query: { workspaceId } });
    expect(bots.at("bots")).toMatchObject([{ id: botId, accessRight: "read" }]);
    await put(owner.userId, "READ");
    const members = await api.client.get(`/api/v1/workspaces/${workspaceId}/members`, { token: owner.token });
    const roles = new Map(members.list("members").map((one) => [Object(one).userId, Object(one).role]));
    expect([roles.get(friend.userId), roles.get(owner.userId)]).toEqual(["GUEST", "ADMIN"]);
    expect((await api.client.get(`/api/v1/bots/${botId}`, { token: owner.token })).at("currentUserMode")).toBe("write");
    await remove(owner.userId);
    await remove(friend.userId);
  });

  test("collaborators are listed newest first, page by page", async () => {
    const friends: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const friend = await api.makeUser({ name });
      await put(friend.userId, "READ");
      friends.unshift(friend.userId);
    }
    for (const [index, userId] of friends.entries()) {
      await api.deps.sql`
        update collaborators set created_at = created_at - ${index} * interval '1 second' where user_id = ${userId}`;
    }
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.text("nextCursor") });
    expect([...first.list("collaborators"), ...second.list("collaborators")]).toMatchObject(
      friends.map((userId) => ({ userId })),
    );
    expect(second.body).not.toHaveProperty("nextCursor");
    for (const userId of friends) await remove(userId);
  });

  test("collaborators are invited by e-mail address", async () => {
    const [friend, member] = [await api.makeUser(), await api.makeUser()];
    const invited = await putByEmail(friend.email, "READ");
    const unknown = await putByEmail("nobody@example.com", "READ");
    const codes = [invited, unknown].map((made) => made.text("invitation.code"));
    const expected = { workspaceId, role: "GUEST", botId, type: "READ" };
    expect([invited.body, unknown.body]).toMatchObject([
      { collaborator: null, invitation: { ...expected, email: friend.email } },
      { collaborator: null, invitation: { ...expected, email: "nobody@example.com" } },
    ]);
    const whole = await api.client.post(`/api/v1/workspaces/${workspaceId}/invitations`, {
      token: owner.token,
      body: { email: friend.email },
    });
    expect(whole.at("invitation.id")).not.toBe(invited.at("invitation.id"));
    expect((await list()).at("collaborators")).toEqual([]);

    const join = (code = "", token?: string) =>
      api.client.post("/api/v1/invitations/accept", { token, body: { code, name: "Nina" } });
    expect((await join(codes[0], member.token)).at("code")).toBe("invitation.other_address");
    expect((await join(codes[0], friend.token)).at("member.role")).toBe("GUEST");
    const made = await join(codes[1]);
    for (const token of [friend.token, made.text("apiToken.token")]) {
      expect((await api.client.get(`/api/v1/bots/${botId}`, { token })).at("currentUserMode")).toBe("read");
    }
    const changed = await putByEmail(friend.email.toUpperCase(), "WRITE");
    expect(changed.body).toMatchObject({ collaborator: { userId: friend.userId, type: "WRITE" }, invitation: null });
    expect((await putByEmail(member.email, "READ", friend.token)).at("code")).toBe("workspace.forbidden");
    await remove(friend.userId);
    await remove(made.text("user.id"));
  });

  test("a second invitation of a collaborator replaces the open invitation", async () => {
    const first = await putByEmail("again@example.com", "READ");
    const second = await putByEmail("AGAIN@example.com", "WRITE");
    const accept = (made: typeof first) =>
      api.client.post("/api/v1/invitations/accept", {
        body: { code: made.text("invitation.code"), name: "Nina" },
      });

    expect(second.at("invitation")).toMatchObject({ id: first.text("invitation.id"), type: "WRITE" });
    expect((await accept(first)).at("code")).toBe("invitation.not_found");
    const accepted = await accept(second);
    expect(accepted.status).toBe(200);
    await remove(accepted.text("user.id"));
  });

  test("invitations of collaborators can be listed only by members", async () => {
    const writer = await api.makeUser();
    const member = await api.makeUser();
    const body = { role: "MEMBER" };
    await api.client.put(`/api/v1/workspaces/${workspaceId}/members/${member.userId}`, { token: owner.token, body });
    await put(writer.userId, "WRITE");
    const made = await putByEmail("later@example.com", "READ", member.token);
    const path = `/api/v1/bots/${botId}/invitations`;
    const id = made.text("invitation.id");
    const other = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: {} } });
    const elsewhere = `/api/v1/bots/${other.text("bot.id")}/invitations`;

    const listed = await api.client.get(path, { token: member.token });
    expect(listed.at("invitations")).toMatchObject([{ id, botId, email: "later@example.com", type: "READ" }]);
    expect(JSON.stringify(listed.body)).not.toContain(made.text("invitation.code"));
    expect((await api.client.get(elsewhere, { token: member.token })).at("invitations")).toEqual([]);
    expect((await api.client.get(path, { token: writer.token })).at("code")).toBe("workspace.forbidden");
    expect((await api.client.delete(`${path}/${id}`, { token: writer.token })).at("code")).toBe("workspace.forbidden");
    expect((await api.client.delete(`${elsewhere}/${id}`, { token: owner.token })).at("code")).toBe(
      "invitation.not_found",
    );
    expect((await api.client.delete(`${path}/${id}`, { token: member.token })).at("invitation.id")).toBe(id);
    expect((await api.client.get(path, { token: member.token })).at("invitations")).toEqual([]);
    await remove(writer.userId);
  });

  test("collaborators may leave, but may not add or remove other collaborators", async () => {
    const [writer, reader] = [await api.makeUser(), await api.makeUser()];
    await put(writer.userId, "WRITE");
    await put(reader.userId, "READ");
    expect((await put(newId(), "READ", writer.token)).at("code")).toBe("workspace.forbidden");
    expect((await remove(reader.userId, writer.token)).at("code")).toBe("workspace.forbidden");
    expect((await list()).list("collaborators")).toHaveLength(2);
    expect((await remove(reader.userId, reader.token)).status).toBe(200);
    expect((await remove(writer.userId, writer.token)).status).toBe(200);
  });

  test("requests about collaborators reject unknown users, strangers and invalid input", async () => {
    expect((await put(newId(), "READ")).at("code")).toBe("user.not_found");
    expect((await put("nobody", "READ")).at("code")).toBe("user.not_found");
    expect((await put(owner.userId, "OWN")).at("data.issues.0.path")).toBe("type");
    expect((await remove(newId())).at("code")).toBe("collaborator.not_found");
    const stranger = await api.makeUser();
    expect((await list({}, stranger.token)).at("code")).toBe("bot.not_found");
    expect((await put(stranger.userId, "WRITE", stranger.token)).at("code")).toBe("bot.not_found");
    expect((await list({ cursor: "x" })).at("code")).toBe("cursor.invalid");
    expect((await list()).at("collaborators")).toEqual([]);
  });
});

function list(query: Record<string, string | number> = {}, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/collaborators`, { token, query });
}

function put(userId: string, type: string, token = owner.token) {
  return api.client.put(`/api/v1/bots/${botId}/collaborators/${userId}`, { token, body: { type } });
}

function putByEmail(email: string, type: string, token = owner.token) {
  return api.client.put(`/api/v1/bots/${botId}/collaborators`, { token, body: { email, type } });
}

function remove(userId: string, token = owner.token) {
  return api.client.delete(`/api/v1/bots/${botId}/collaborators/${userId}`, { token });
}
