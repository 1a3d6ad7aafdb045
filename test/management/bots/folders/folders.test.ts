import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { createTestDatabase } from "../../../support/database.ts";

let api: TestApi;
let owner: TestUser;
let guest: TestUser;
let stranger: TestUser;
let workspaceId: string;
let elsewhere: string;

beforeAll(async () => {
  api = await createTestApi();
  [owner, guest, stranger] = await Promise.all([api.makeUser(), api.makeUser(), api.makeUser()]);
});
beforeEach(async () => {
  workspaceId = await api.makeWorkspace(owner, { [guest.userId]: "GUEST" });
  elsewhere = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

const path = "/api/v1/folders";
const create = (body: object, user = owner) =>
  api.client.post(path, { token: user.token, body: { workspaceId, ...body } });
const patch = (id: string, folder: unknown, user = owner) =>
  api.client.patch(`${path}/${id}`, { token: user.token, body: { workspaceId, folder } });
const list = (query: Record<string, string | number>, user = owner) =>
  api.client.get(path, { token: user.token, query: { workspaceId, ...query } });

async function makeFolder(folderName: string, parentFolderId?: string): Promise<string> {
  return (await create({ folderName, ...(parentFolderId ? { parentFolderId } : {}) })).text("folder.id");
}

async function parents(): Promise<Record<string, string | null>> {
  const rows = await api.deps.sql<{ name: string; parent: string | null }[]>`
    select folders.name, parents.name as parent
    from folders
    left join folders as parents on parents.id = folders.parent_folder_id
    where folders.workspace_id = ${workspaceId}
      and folders.deleted_at is null`;
  return Object.fromEntries(rows.map(({ name, parent }) => [name, parent]));
}

describe("POST /folders", () => {
  test("POST /folders creates a folder with every documented key", async () => {
    const made = await create({});
    const createdAt = made.text("folder.createdAt");
    expect(made.at("folder")).toEqual({
      id: made.text("folder.id"),
      createdAt,
      updatedAt: createdAt,
      name: "",
      parentFolderId: null,
      workspaceId,
    });
  });

  test("POST /folders creates a folder in another folder", async () => {
    const outer = await makeFolder("outer");
    const id = newId();
    const inner = await create({ folderName: "inner", parentFolderId: outer, id });
    expect(inner.at("folder.parentFolderId")).toBe(outer);
    expect(inner.at("folder.id")).not.toBe(id);
  });

  test("POST /folders rejects an unknown parent and a parent of another workspace", async () => {
    const foreign = (await create({ workspaceId: elsewhere, folderName: "foreign" })).text("folder.id");
    for (const parentFolderId of [foreign, newId(), "nope", ""]) {
      expect((await create({ parentFolderId })).at("code")).toBe("folder.not_found");
    }
    expect(await parents()).toEqual({});
  });

  test("POST /folders rejects an unknown workspace", async () => {
    for (const wrong of [newId(), "nope", ""])
      expect((await create({ workspaceId: wrong })).at("code")).toBe("workspace.not_found");
    expect(await parents()).toEqual({});
  });

  test("POST /folders rejects invalid fields and returns their paths", async () => {
    const answer = await create({ workspaceId: 1, folderName: null, parentFolderId: 2 });
    expect(answer.at("data.issues.*.path")).toEqual(["workspaceId", "folderName", "parentFolderId"]);
    expect((await create({ folderName: "x".repeat(256) })).at("data.issues.0.path")).toBe("folderName");
  });
});

describe("GET /folders", () => {
  test("GET /folders lists direct children, newest first, page by page", async () => {
    const outer = await makeFolder("outer");
    const made = [await makeFolder("one", outer), await makeFolder("two", outer), await makeFolder("three", outer)];
    await api.spreadCreation("folders", made);
    const top = await list({});
    expect(top.at("folders.*.name")).toEqual(["outer"]);
    const first = await list({ parentFolderId: outer, limit: 2 });
    const second = await list({ parentFolderId: outer, limit: 2, cursor: first.text("nextCursor") });
    expect(first.at("folders.*.name")).toEqual(["three", "two"]);
    expect(second.at("folders.*.name")).toEqual(["one"]);
  });

  test("pages of GET /folders neither repeat nor skip a folder", async () => {
    await api.spreadCreation("folders", [await makeFolder("one"), await makeFolder("two")]);
    const first = await list({ limit: 1 });
    await makeFolder("three");
    const second = await list({ limit: 1, cursor: first.text("nextCursor") });
    expect([first.at("folders.0.name"), second.at("folders.0.name")]).toEqual(["two", "one"]);
  });

  test("GET /folders lists all folders on request, at any depth, page by page", async () => {
    const outer = await makeFolder("Outer");
    const inner = await makeFolder("Inner", outer);
    const innermost = await makeFolder("Innermost", inner);
    await api.spreadCreation("folders", [outer, inner, innermost]);

    const first = await api.client.get(path, { token: owner.token, query: { workspaceId, isDeep: true, limit: 2 } });
    const cursor = first.text("nextCursor");
    const query = { workspaceId, isDeep: true, limit: 2, cursor };
    const second = await api.client.get(path, { token: owner.token, query });

    expect([first, second].flatMap((page) => page.at("folders.*.id"))).toEqual([innermost, inner, outer]);
    expect((await list({ cursor })).at("code")).toBe("cursor.invalid");
  });

  test("GET /folders rejects an unknown parent and a parent of another workspace", async () => {
    const foreign = (await create({ workspaceId: elsewhere })).text("folder.id");
    for (const parentFolderId of [foreign, newId(), "nope"]) {
      expect((await list({ parentFolderId })).at("code")).toBe("folder.not_found");
    }
  });
});

describe("GET /folders/{folderId}", () => {
  test("GET /folders/{folderId} needs no workspace in the request", async () => {
    const id = await makeFolder("one");
    for (const query of [{}, { workspaceId }]) {
      expect((await api.client.get(`${path}/${id}`, { token: owner.token, query })).at("folder.name")).toBe("one");
    }
  });

  test("GET /folders/{folderId} returns 404 without access", async () => {
    const id = await makeFolder("one");
    const bound = await api.makeToken(owner.userId, { workspaceId: elsewhere });
    for (const token of [guest.token, stranger.token, bound]) {
      expect((await api.client.get(`${path}/${id}`, { token })).at("code")).toBe("folder.not_found");
    }
    for (const address of [`${path}/${id}?workspaceId=${elsewhere}`, `${path}/${newId()}`, `${path}/nope`]) {
      expect((await api.client.get(address, { token: owner.token })).at("code")).toBe("folder.not_found");
    }
  });
});

describe("PATCH /folders/{folderId}", () => {
  test("PATCH /folders/{folderId} renames or moves a folder", async () => {
    const [outer, inner] = [await makeFolder("outer"), await makeFolder("inner")];
    const moved = await patch(inner, { parentFolderId: outer });
    expect([moved.at("folder.name"), moved.at("folder.parentFolderId")]).toEqual(["inner", outer]);
    const renamed = await patch(inner, { name: "" });
    expect([renamed.at("folder.name"), renamed.at("folder.parentFolderId")]).toEqual(["", outer]);
    expect(renamed.text("folder.updatedAt") > moved.text("folder.updatedAt")).toBe(true);
    expect((await patch(inner, { parentFolderId: null })).at("folder.parentFolderId")).toBeNull();
  });

  test("PATCH /folders/{folderId} rejects a move into the folder or its descendants", async () => {
    const a = await makeFolder("a");
    const b = await makeFolder("b", a);
    const c = await makeFolder("c", b);
    for (const parentFolderId of [a, b, c]) {
      const answer = await patch(a, { name: "changed", parentFolderId });
      expect(answer.at("code")).toBe("folder.cycle");
    }
    expect(await parents()).toEqual({ a: null, b: "a", c: "b" });
  });

  test("PATCH /folders/{folderId} refuses one of two concurrent moves that form a cycle", async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await makeFolder(`a${round}`), await makeFolder(`b${round}`)];
      const answers = await Promise.all([patch(a, { parentFolderId: b }), patch(b, { parentFolderId: a })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test("PATCH and POST /folders reject a parent in the bin", async () => {
    const id = await makeFolder("one");
    const binned = await makeFolder("binned");
    await api.client.delete(`${path}/${binned}`, { token: owner.token });
    expect((await patch(id, { parentFolderId: binned })).at("code")).toBe("folder.not_found");
    expect((await create({ parentFolderId: binned })).at("code")).toBe("folder.not_found");
    expect(await parents()).toEqual({ one: null });
  });

  test("PATCH /folders/{folderId} rejects a parent of another workspace", async () => {
    const id = await makeFolder("one");
    const foreign = (await create({ workspaceId: elsewhere })).text("folder.id");
    for (const parentFolderId of [foreign, newId(), "nope"]) {
      expect((await patch(id, { parentFolderId })).at("code")).toBe("folder.not_found");
    }
    expect(await parents()).toEqual({ one: null });
  });

  test("a refused PATCH /folders/{folderId} causes no deadlock", async () => {
    const small = await createTestApi({ database: await createTestDatabase({ connections: 1 }) });
    try {
      const { token } = await small.makeUser();
      const { client } = small;
      const made = await client.post("/api/v1/workspaces", { token, body: { name: "Small" } });
      const workspaceId = made.text("workspace.id");
      const folder = await client.post(path, { token, body: { workspaceId, folderName: "one" } });
      const address = `${path}/${folder.text("folder.id")}`;
      const move = (headers = {}) =>
        client.patch(address, { token, body: { workspaceId, folder: { parentFolderId: newId() } }, headers });

      expect((await move()).at("code")).toBe("folder.not_found");
      expect((await move({ "If-Match": '"2020-01-01T00:00:00.000Z"' })).at("code")).toBe("precondition.failed");
      expect((await client.get(address, { token })).at("folder.name")).toBe("one");
    } finally {
      await small.close();
    }
  });

  test("PATCH /folders/{folderId} returns 400 for wrong types, and changes nothing", async () => {
    const id = await makeFolder("one");
    for (const folder of [undefined, null, [], { name: null }, { name: 1 }, { parentFolderId: 1 }]) {
      expect((await patch(id, folder)).at("code")).toBe("request.invalid");
    }
    expect(await parents()).toEqual({ one: null });
  });
});

describe("DELETE /folders/{folderId}", () => {
  const remove = (id: string, options: object = {}, user = owner) =>
    api.client.delete(`${path}/${id}`, { token: user.token, ...options });

  test("DELETE /folders/{folderId} moves the contents to the parent", async () => {
    const a = await makeFolder("a");
    const b = await makeFolder("b", a);
    await makeFolder("c", b);
    const botId = newId();
    await api.deps.sql`
      insert into bots (id, workspace_id, folder_id, version, name, groups, edges, variables, theme, settings)
      values (${botId}, ${workspaceId}, ${b}, '6', 'Bot', '[]', '[]', '[]', '{}', '{}')`;
    const gone = await remove(b, { body: { workspaceId } });
    expect([gone.at("folder.name"), gone.at("folder.parentFolderId")]).toEqual(["b", a]);
    expect(await parents()).toEqual({ a: null, c: "a" });
    const [bot] = await api.deps.sql<{ folderId: string }[]>`select folder_id from bots where id = ${botId}`;
    expect(bot?.folderId ?? "").toBe(a);
    await remove(a, { query: { workspaceId } });
    expect(await parents()).toEqual({ c: null });
    expect((await remove(b)).at("code")).toBe("folder.not_found");
  });

  test("DELETE /folders/{folderId} returns 404 to users without access", async () => {
    const id = await makeFolder("one");
    for (const user of [guest, stranger]) expect((await remove(id, {}, user)).at("code")).toBe("folder.not_found");
    expect((await remove(id, { body: { workspaceId: elsewhere } })).at("code")).toBe("folder.not_found");
    expect((await remove(id, { query: { workspaceId: elsewhere } })).at("code")).toBe("folder.not_found");
    expect(await parents()).toEqual({ one: null });
  });
});
