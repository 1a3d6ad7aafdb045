import { afterAll, beforeAll, expect, test } from "bun:test";
import { deleteOld } from "../../../src/platform/database/deleted.sql.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { noteOperation } from "../../support/contract.ts";
import { testKey } from "../../support/events.ts";
import { putResult } from "../../support/results.ts";

let api: TestApi;
let owner: TestUser;
let member: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser({ name: "Ada" });
  member = await api.makeUser({ name: "Ben" });
});
afterAll(() => api.close());

const request = async (method: string, path: string, { token, body }: { token: string; body?: object }) => {
  const response = await api.handle(
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, id: response.headers.get("x-request-id"), body: await response.json() };
};
const list = async (query = "", place = workspaceId) => {
  const { body } = await request("GET", `/workspaces/${place}/audit?limit=100${query}`, { token: owner.token });
  return body.entries;
};
const fresh = async () => {
  workspaceId = await api.makeWorkspace(owner, { [member.userId]: "MEMBER" });
};
const makeBot = async () => {
  const bot = { name: "First", ...flowOf([says("Hello"), asks("text input")]) };
  const { body } = await request("POST", "/bots", { token: owner.token, body: { workspaceId, bot } });
  return body.bot;
};

test("an audit entry contains the author, the token and the changes", async () => {
  await fresh();
  const { id: botId, groups } = await makeBot();
  const [first, ...others] = groups;
  const groupsNow = [{ ...first, title: "Renamed" }, ...others];
  const changed = await request("PATCH", `/bots/${botId}`, {
    token: member.token,
    body: { bot: { name: "Second", groups: groupsNow, settings: { general: { isBrandingEnabled: true } } } },
  });

  const [entry, made] = await list();

  expect(entry).toMatchObject({
    workspaceId,
    userId: member.userId,
    userName: "Ben",
    tokenName: "Test",
    requestId: changed.id,
    operation: "PATCH /api/v1/bots/{botId}",
    subject: "bot",
    subjectIds: [botId],
    outcome: "done",
    beforeHash: made.afterHash,
    changedPaths: [`groups.${first.id}`, "name", "settings.general"],
    changedCount: 3,
  });
  expect(made).toMatchObject({
    userName: "Ada",
    operation: "POST /api/v1/bots",
    subject: "bot",
    subjectIds: [botId],
    beforeHash: null,
    changedPaths: [],
  });
  expect(entry.afterHash).not.toBe(entry.beforeHash);
});

test("a write by an existing client is logged under the management path", async () => {
  await fresh();
  const { id: botId } = await makeBot();
  await request("PATCH", `/typebots/${botId}`, { token: owner.token, body: { typebot: { name: "Theirs" } } });
  const stranger = await api.makeUser();
  for (const token of [stranger.token, owner.token]) {
    const body = {
      bot: { name: "Late" },
      ...(token === owner.token && { bot: { updatedAt: "2020-01-01T00:00:00.000Z" } }),
    };
    expect((await request("PATCH", `/bots/${botId}`, { token, body })).status).toBeGreaterThanOrEqual(400);
  }

  const entries = await list();

  expect(entries.map(({ operation, changedPaths }: Record<string, unknown>) => [operation, changedPaths])).toEqual([
    ["PATCH /api/v1/bots/{botId}", ["name"]],
    ["POST /api/v1/bots", []],
  ]);
});

test("the audit log contains no secret, and reports a changed secret", async () => {
  await fresh();
  const body = { value: "planted-secret-0123456789" };
  await request("PUT", `/workspaces/${workspaceId}/secrets/KEY`, { token: owner.token, body });
  await request("PUT", `/workspaces/${workspaceId}/secrets/KEY`, {
    token: owner.token,
    body: { value: "planted-again" },
  });
  const made = await request("POST", "/users/me/api-tokens", {
    token: owner.token,
    body: { name: "Bound", workspaceId },
  });

  const entries = await list();
  const stored = JSON.stringify(await api.deps.sql`select * from audit_entries`);

  expect(
    entries.map(({ subject, subjectIds, changedPaths }: Record<string, unknown>) => [
      subject,
      subjectIds,
      changedPaths,
    ]),
  ).toEqual([
    ["apiToken", [made.body.apiToken.id], []],
    ["secret", ["KEY"], ["value"]],
    ["secret", ["KEY"], ["hosts", "name", "note", "value"]],
  ]);
  expect(stored).not.toContain("planted");
  expect(stored).not.toContain(made.body.apiToken.token);
});

test("a move of a bot is logged in both workspaces", async () => {
  await fresh();
  const from = workspaceId;
  const bots = [await makeBot(), await makeBot()];
  const botIds = bots.map(({ id }) => id);
  const to = await api.makeWorkspace(owner);
  const moved = await request("POST", `/bots/${botIds[0]}/move`, { token: owner.token, body: { workspaceId: to } });
  const archived = await request("POST", "/bots/bulk", {
    token: owner.token,
    body: { action: "archive", botIds: [botIds[1]] },
  });

  expect([moved.status, archived.status]).toEqual([200, 200]);
  expect((await list("", to))[0]).toMatchObject({ requestId: moved.id, subjectIds: [botIds[0]], workspaceId: to });
  const [bulk, leaving] = await list("", from);
  expect(leaving).toMatchObject({
    requestId: moved.id,
    workspaceId: from,
    changedPaths: ["folderId", "workspaceId"].slice(1),
  });
  expect(bulk).toMatchObject({ subject: "bot", subjectIds: [botIds[1]], changedPaths: ["isArchived"] });
});

test("the audit log can be filtered, paged and exported as JSON lines", async () => {
  await fresh();
  const bot = await makeBot();
  for (const name of ["A", "B", "C"]) {
    await request("PATCH", `/bots/${bot.id}`, { token: member.token, body: { bot: { name } } });
  }
  const all = await list();

  expect(all).toHaveLength(4);
  expect(await list(`&userId=${member.userId}`)).toEqual(all.slice(0, 3));
  expect(await list(`&tokenId=${all[3].tokenId}`)).toEqual(all.slice(3));
  expect(await list("&operation=POST%20/api/v1/bots")).toEqual(all.slice(3));
  expect(await list(`&subject=bot&subjectId=${bot.id}`)).toEqual(all);
  expect(await list(`&from=${all[1].createdAt}&to=2100-01-01T00:00:00Z`)).toEqual(
    all.filter(({ createdAt }: { createdAt: string }) => createdAt >= all[1].createdAt),
  );
  expect(await list("&userId=nobody")).toEqual([]);
  const page = await request("GET", `/workspaces/${workspaceId}/audit?limit=3`, { token: owner.token });
  const next = await request("GET", `/workspaces/${workspaceId}/audit?limit=3&cursor=${page.body.nextCursor}`, {
    token: owner.token,
  });
  expect([...page.body.entries, ...next.body.entries]).toEqual(all);
  const response = await api.handle(
    new Request(`http://localhost/api/v1/workspaces/${workspaceId}/audit/export`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    }),
  );
  const lines = (await response.text()).trimEnd().split("\n");
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  noteOperation({ method: "GET", path: "/api/v1/workspaces/:workspaceId/audit/export" });
  expect(lines.map((line) => JSON.parse(line))).toEqual(all);
});

test("a write keeps its audit entry even if its outcome cannot be recorded", async () => {
  await fresh();
  const { sql } = api.deps;
  const bot = await makeBot();
  await sql.unsafe(`
    create function refuse_ends() returns trigger language plpgsql as $$ begin raise 'no ends'; end $$;
    create trigger refuse_ends before update on audit_entries for each row execute function refuse_ends()`);

  const { status } = await request("PATCH", `/bots/${bot.id}`, {
    token: owner.token,
    body: { bot: { name: "Written" } },
  });

  await sql.unsafe("drop trigger refuse_ends on audit_entries; drop function refuse_ends");
  expect(status).toBe(200);
  expect((await list())[0]).toMatchObject({
    operation: "PATCH /api/v1/bots/{botId}",
    outcome: "begun",
    subjectIds: [bot.id],
  });
});

test("a write has no effect if its audit entry cannot be written", async () => {
  await fresh();
  const { sql } = api.deps;
  const bot = await makeBot();
  await sql.unsafe(`
    create function refuse_entries() returns trigger language plpgsql as $$ begin raise 'no entries'; end $$;
    create trigger refuse_entries before insert on audit_entries for each row execute function refuse_entries()`);

  await request("PATCH", `/bots/${bot.id}`, { token: owner.token, body: { bot: { name: "Written" } } });

  await sql.unsafe("drop trigger refuse_entries on audit_entries; drop function refuse_entries");
  const { body } = await request("GET", `/bots/${bot.id}`, { token: owner.token });
  expect(body.bot.name).toBe("First");
});

test("audit log entries older than the given number of days are removed", async () => {
  await fresh();
  await makeBot();
  await makeBot();
  const [, old] = await list();
  await api.deps.sql`update audit_entries set created_at = clock() - interval '366 days' where id = ${old.id}`;

  expect(await deleteOld(api.deps.sql, { table: "audit_entries", days: 365, limit: 10 })).toBe(1);
  expect(await list()).toHaveLength(1);
});

test("changes to a test conversation are logged with the subject testConversation", async () => {
  await fresh();
  const { id: botId } = await makeBot();
  const path = `/bots/${botId}/testConversations/first`;
  const conversation = { title: "Greets", turns: [{ expect: { shows: ["Hello"] } }] };
  const made = await request("PUT", path, { token: owner.token, body: { conversation, isRequired: true } });
  await request("PUT", path, { token: owner.token, body: { conversation, isRequired: false } });
  await request("DELETE", path, { token: member.token });

  const [deleted, changed, first] = await list("&subject=testConversation&subjectId=first");

  expect(made.status).toBe(200);
  expect(first).toMatchObject({ workspaceId, beforeHash: null, subjectIds: ["first"] });
  expect(changed).toMatchObject({ workspaceId, beforeHash: first.afterHash, changedPaths: ["isRequired"] });
  expect(deleted).toMatchObject({ workspaceId, userId: member.userId, beforeHash: changed.afterHash, afterHash: null });
});

test("a bulk operation on bots of two workspaces is logged in each workspace", async () => {
  await fresh();
  const [here, there] = [workspaceId, await api.makeWorkspace(owner)];
  const bots = [await makeBot(), await makeBot()];
  workspaceId = there;
  const far = await makeBot();
  const botIds = [...bots, far].map(({ id }) => id);

  await request("POST", "/bots/bulk", { token: owner.token, body: { action: "archive", botIds } });

  const operation = "&operation=POST%20/api/v1/bots/bulk";
  const near = botIds.slice(0, 2).toSorted();
  const [nearEntry, ...others] = await list(operation, here);
  expect(others).toEqual([]);
  expect(nearEntry).toMatchObject({ subjectIds: near, changedPaths: near.map((id) => `${id}.isArchived`) });
  expect(await list(operation, there)).toMatchObject([{ subjectIds: [far.id], changedPaths: ["isArchived"] }]);
});

test("a permission changed by e-mail address is logged as a change", async () => {
  await fresh();
  const { id: botId } = await makeBot();
  const guest = await api.makeUser();
  const byMail = (path: string, body: object) => request("PUT", path, { token: owner.token, body });
  await byMail(`/bots/${botId}/collaborators/${guest.userId}`, { type: "READ" });
  await byMail(`/bots/${botId}/collaborators`, { email: guest.email.toUpperCase(), type: "WRITE" });
  await byMail(`/workspaces/${workspaceId}/members`, { email: guest.email, role: "ADMIN" });
  await byMail(`/workspaces/${workspaceId}/members`, { email: "new@example.com", role: "GUEST" });
  await byMail(`/workspaces/${workspaceId}/members`, { email: "new@example.com", role: "ADMIN" });

  const [raised, invited, promoted, collaborates, read] = await list();

  expect(read).toMatchObject({ subject: "collaborator", subjectIds: [guest.userId] });
  expect(collaborates).toMatchObject({ beforeHash: read.afterHash, changedPaths: ["type"], subject: "collaborator" });
  expect(promoted).toMatchObject({ subject: "member", subjectIds: [guest.userId], changedPaths: ["role"] });
  expect(promoted.beforeHash).not.toBeNull();
  expect(raised).toMatchObject({ subject: "invitation", beforeHash: invited.afterHash, changedPaths: ["role"] });
});

test("an accepted invitation is logged as a change of the collaborator's type", async () => {
  await fresh();
  const { id: botId } = await makeBot();
  const guest = await api.makeUser();
  await request("PUT", `/bots/${botId}/collaborators/${guest.userId}`, { token: owner.token, body: { type: "READ" } });
  await request("DELETE", `/bots/${botId}/collaborators/${guest.userId}`, { token: owner.token });
  const invited = await request("PUT", `/bots/${botId}/collaborators`, {
    token: owner.token,
    body: { email: guest.email, type: "WRITE" },
  });
  const { code } = invited.body.invitation;
  await request("PUT", `/bots/${botId}/collaborators/${guest.userId}`, { token: owner.token, body: { type: "READ" } });
  await request("POST", "/invitations/accept", { token: guest.token, body: { code, name: "Cid" } });

  const entries = await list("&operation=POST%20/api/v1/invitations/accept");

  expect(entries.map(({ subject, changedPaths }: Record<string, unknown>) => [subject, changedPaths])).toEqual([
    ["collaborator", [`${guest.userId}.type`]],
    ["member", []],
  ]);
  expect(entries[1].beforeHash).not.toBeNull();
});

test("the audit log lists bots that are deleted with their folder", async () => {
  await fresh();
  const folderIn = async (parentFolderId: string | null) =>
    (await request("POST", "/folders", { token: owner.token, body: { workspaceId, parentFolderId, name: "F" } })).body
      .folder.id;
  const outer = await folderIn(null);
  const inner = await folderIn(outer);
  const { id: botId } = await makeBot();
  await makeBot();
  const place = { token: owner.token, body: { folderId: inner } };
  await request("POST", `/bots/${botId}/move`, place);
  await request("DELETE", `/folders/${outer}?withContent=true`, { token: owner.token });
  await request("POST", `/folders/${outer}/restore`, { token: owner.token });
  await request("DELETE", `/folders/${outer}`, { token: owner.token });

  const named = (await list(`&subject=bot&subjectId=${botId}`)).map((entry: Record<string, unknown>) => [
    entry.operation,
    entry.changedPaths,
  ]);
  const folders = await list(`&subject=folder&subjectId=${inner}`);

  expect(named).toEqual([
    ["POST /api/v1/folders/{folderId}/restore", [`${botId}.isDeleted`]],
    ["DELETE /api/v1/folders/{folderId}", [`${botId}.isDeleted`]],
    ["POST /api/v1/bots/{botId}/move", ["folderId"]],
    ["POST /api/v1/bots", []],
  ]);
  expect(folders.map(({ changedPaths }: { changedPaths: string[] }) => changedPaths)).toEqual([
    [`${inner}.parentFolderId`],
    [`${inner}.isDeleted`],
    [`${inner}.isDeleted`],
    [],
  ]);
});

test("the audit log lists results that are deleted by a list of ids", async () => {
  await fresh();
  const { id: botId } = await makeBot();
  const other = await makeBot();
  const { sql } = api.deps;
  const made = [await putResult(sql, botId), await putResult(sql, botId)];
  const resultIds = made.map(({ resultId }) => resultId).toSorted();
  const { resultId: strange } = await putResult(sql, other.id);

  await request("PATCH", `/bots/${botId}/results/${resultIds[0]}`, { token: owner.token, body: { note: "Call" } });
  await request("DELETE", `/bots/${botId}/results?resultIds=${[...resultIds, strange].join(",")}`, {
    token: owner.token,
  });

  const [deleted, noted] = await list("&subject=result");
  expect(noted).toMatchObject({ subjectIds: [resultIds[0]], changedPaths: ["note"] });
  expect(deleted).toMatchObject({ subjectIds: resultIds, changedPaths: resultIds.map((id) => `${id}.isDeleted`) });
});
