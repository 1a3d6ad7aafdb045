import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let owner: TestUser;
let member: TestUser;
let guest: TestUser;
let stranger: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  [owner, member, guest, stranger] = await Promise.all([
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
  ]);
  workspaceId = await api.makeWorkspace(owner, { [member.userId]: "MEMBER", [guest.userId]: "GUEST" });
});
afterAll(() => api.close());

const path = "/api/v1/workspaces";
const get = (user: TestUser, id = workspaceId) => api.client.get(`${path}/${id}`, { token: user.token });

describe("POST /workspaces", () => {
  test("POST /workspaces returns the new workspace with all its fields", async () => {
    const made = await api.client.post(path, { token: stranger.token, body: { name: "Support", icon: "💬" } });
    const id = made.text("workspace.id");
    const createdAt = made.text("workspace.createdAt");
    expect(made.at("workspace")).toEqual({
      id,
      createdAt,
      updatedAt: createdAt,
      name: "Support",
      icon: "💬",
      plan: "FREE",
      paymentProviderId: null,
      isSuspended: false,
      suspendedAt: null,
      suspendedReason: null,
      isPastDue: false,
      isVerified: false,
    });
    expect((await get(stranger, id)).at("currentUserMode")).toBe("write");
  });

  test("POST /workspaces sets no icon by default", async () => {
    for (const body of [{ name: " Twice " }, { name: " Twice ", icon: null }]) {
      const made = await api.client.post(path, { token: stranger.token, body });
      expect([made.at("workspace.name"), made.at("workspace.icon")]).toEqual([" Twice ", null]);
    }
  });
});

describe("GET /workspaces", () => {
  test("GET /workspaces lists only the caller's workspaces, newest first", async () => {
    const user = await api.makeUser();
    const made: string[] = [];
    for (const name of ["one", "two", "three"]) {
      made.push((await api.client.post(path, { token: user.token, body: { name } })).text("workspace.id"));
    }
    await api.spreadCreation("workspaces", made);
    const first = await api.client.get(path, { token: user.token, query: { limit: 2 } });
    expect(first.at("workspaces.*.name")).toEqual(["three", "two"]);
    const query = { limit: 2, cursor: first.text("nextCursor") };
    const second = await api.client.get(path, { token: user.token, query });
    expect(second.at("workspaces.*.name")).toEqual(["one"]);
    expect(second.body).not.toHaveProperty("nextCursor");
  });

  test("GET /workspaces returns no cursor if the last page is exactly full", async () => {
    const user = await api.makeUser();
    await api.makeWorkspace(user);
    const answer = await api.client.get(path, { token: user.token, query: { limit: 1 } });
    expect(answer.list("workspaces").length).toBe(1);
    expect(answer.body).not.toHaveProperty("nextCursor");
  });
});

describe("GET /workspaces/{workspaceId}", () => {
  test("GET /workspaces/{workspaceId} returns the access mode of the caller", async () => {
    expect((await get(owner)).at("currentUserMode")).toBe("write");
    expect((await get(member)).at("currentUserMode")).toBe("read");
    expect((await get(guest)).at("currentUserMode")).toBe("guest");
  });

  test("GET /workspaces/{workspaceId} returns only the summary to a GUEST", async () => {
    const answer = await get(guest);
    expect(answer.at("workspace")).toEqual({ id: workspaceId, name: "Test workspace", icon: null, plan: "FREE" });
  });

  test("GET /workspaces/{workspaceId} is allowed for an administrator", async () => {
    const administrator = await api.makeUser({ scope: "admin" });
    const answer = await get(administrator);
    expect([answer.at("currentUserMode"), answer.at("workspace.isSuspended")]).toEqual(["guest", false]);
  });

  test("GET /workspaces/{workspaceId} returns 404 to users without access", async () => {
    const [hidden, missing] = [await get(stranger), await get(stranger, newId())];
    for (const key of ["code", "status", "message", "data"]) expect(hidden.at(key)).toEqual(missing.at(key));
    expect(hidden.at("code")).toBe("workspace.not_found");
  });
});

describe("PATCH /workspaces/{workspaceId}", () => {
  const patch = (user: TestUser, body: unknown, id = workspaceId) =>
    api.client.patch(`${path}/${id}`, { token: user.token, body });

  test("PATCH /workspaces/{workspaceId} writes only the given fields", async () => {
    const start = await patch(owner, { name: "Before", icon: "x" });
    const renamed = await patch(owner, { name: "After" });
    expect([renamed.at("workspace.name"), renamed.at("workspace.icon")]).toEqual(["After", "x"]);
    const cleared = await patch(owner, { icon: null });
    expect([cleared.at("workspace.name"), cleared.at("workspace.icon")]).toEqual(["After", null]);
    expect(cleared.text("workspace.updatedAt") > renamed.text("workspace.updatedAt")).toBe(true);
    expect(renamed.text("workspace.updatedAt") > start.text("workspace.updatedAt")).toBe(true);
    expect(cleared.at("workspace.createdAt")).toBe(start.at("workspace.createdAt"));
  });

  test("PATCH /workspaces/{workspaceId} ignores fields that only operators write", async () => {
    const answer = await patch(owner, { plan: "UNLIMITED", isVerified: true, paymentProviderId: "x", id: newId() });
    expect(answer.body).toMatchObject({
      workspace: { id: workspaceId, plan: "FREE", isVerified: false, paymentProviderId: null },
    });
  });

  test("PATCH /workspaces/{workspaceId} rejects null as a name", async () => {
    expect((await patch(owner, { name: null })).at("data.issues.0.path")).toBe("name");
  });
});

describe("DELETE /workspaces/{workspaceId}", () => {
  const remove = (user: TestUser, id: string) => api.client.delete(`${path}/${id}`, { token: user.token });

  test("DELETE /workspaces/{workspaceId} hides the workspace and archives its bots", async () => {
    const doomed = await api.makeWorkspace(owner, { [member.userId]: "MEMBER" });
    const botId = newId();
    await api.deps.sql`
      insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings, public_id)
      values (${botId}, ${doomed}, '6', 'Bot', '[]', '[]', '[]', '{}', '{}', 'freed')`;
    expect((await remove(owner, doomed)).body).toEqual({ message: "Workspace deleted" });
    for (const user of [owner, member]) expect((await get(user, doomed)).at("code")).toBe("workspace.not_found");
    const listed = await api.client.get(path, { token: owner.token });
    expect(listed.at("workspaces.*.id")).not.toContain(doomed);
    const [bot] = await api.deps.sql`
      select is_archived, public_id from bots where id = ${botId}`;
    expect(bot).toEqual({ isArchived: true, publicId: null });
    expect((await remove(owner, doomed)).at("code")).toBe("workspace.not_found");
  });
});
