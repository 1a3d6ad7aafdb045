import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { listConnectionStates } from "../../../src/management/channels/copies.sql.ts";
import { noteRestored, silenceCopies } from "../../../src/management/channels/copies.ts";
import { deleteForgottenContacts } from "../../../src/management/channels/forgotten-contacts.ts";
import {
  deleteOldMessages,
  dropSuspended,
  eraseOldContent,
  removeDeletedConnections,
  removeLeftBehind,
} from "../../../src/management/channels/old-messages.sql.ts";
import { instanceMark } from "../../../src/platform/instance-mark.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { connectWebhookChannel, putContact, putInbox, putSending } from "../../support/channels.ts";
import { testKey } from "../../support/events.ts";
import { temporaryFolder } from "../../support/folder.ts";

let api: TestApi;
let admin: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey, CHAT_URL: "https://chat.example.com" } });
  admin = await api.makeUser();
  workspaceId = await api.makeWorkspace(admin);
});
afterAll(() => api.close());

async function makeConversation(settings: object = {}, within = workspaceId) {
  const place = { client: api.client, token: admin.token, workspaceId: within, name: "Ours" };
  const { connectionId } = await connectWebhookChannel({ ...place, settings, url: "https://crm.example.com/" });
  const { sql } = api.deps;
  const contactId = await putContact(sql, connectionId);
  const said = { connectionId, contactId };
  await putInbox(sql, { ...said, state: "done", content: { kind: "message" } });
  await putSending(sql, { ...said, state: "accepted" });
  await putSending(sql, { ...said, state: "pending" });
  return { connectionId, contactId };
}

async function grow({ connectionId, days }: { connectionId: string; days: number }): Promise<void> {
  const { sql } = api.deps;
  const ago = sql`clock() - make_interval(days => ${days})`;
  await sql`update channel_inbox set received_at = ${ago} where connection_id = ${connectionId}`;
  await sql`update channel_sendings set created_at = ${ago} where connection_id = ${connectionId}`;
  await sql`update channel_contacts set last_inbound_at = ${ago} where connection_id = ${connectionId}`;
}

async function stored(connectionId: string) {
  const [row] = await api.deps.sql`
    select
      (select count(*)::integer from channel_connections where id = ${connectionId}) as connections,
      (select count(*)::integer from channel_contacts where connection_id = ${connectionId}) as contacts,
      (select count(*)::integer from channel_addresses where connection_id = ${connectionId}) as addresses,
      (select count(*)::integer from channel_inbox where connection_id = ${connectionId}) as came,
      (select count(*)::integer from channel_inbox where connection_id = ${connectionId} and content is not null) as readable,
      (select count(*)::integer from channel_sendings where connection_id = ${connectionId}) as went,
      (select count(*)::integer from channel_sendings where connection_id = ${connectionId} and message is not null) as sayable`;
  return row;
}

const all = { connections: 1, contacts: 1, addresses: 1, came: 1, readable: 1, went: 2, sayable: 2 };

describe("the content of messages", () => {
  test("messages lose their content after the retention period", async () => {
    const usual = await makeConversation();
    const longer = await makeConversation({ contentDays: 40 });
    for (const { connectionId } of [usual, longer]) await grow({ connectionId, days: 31 });
    while ((await eraseOldContent(api.deps.sql, 1)) > 0);

    expect(await stored(usual.connectionId)).toEqual({ ...all, readable: 0, sayable: 0 });
    expect(await stored(longer.connectionId)).toEqual(all);
    const states = await api.deps.sql`
      select state from channel_sendings where connection_id = ${usual.connectionId} order by sequence`;
    expect(states.map(({ state }) => state)).toEqual(["accepted", "dropped"]);
  });

  test("message content is deleted even if the connection was deleted", async () => {
    const { connectionId } = await makeConversation();
    await grow({ connectionId, days: 31 });
    await api.deps.sql`delete from channel_connections where id = ${connectionId}`;
    await eraseOldContent(api.deps.sql, 100);

    expect(await stored(connectionId)).toMatchObject({ readable: 0, sayable: 0 });
  });

  test("rows of old messages are deleted after their content is erased", async () => {
    const { connectionId } = await makeConversation();
    await grow({ connectionId, days: 91 });
    expect(await deleteOldMessages(api.deps.sql, { days: 90, limit: 100 })).toBe(0);
    await eraseOldContent(api.deps.sql, 100);
    expect(await deleteOldMessages(api.deps.sql, { days: 90, limit: 100 })).toBe(3);
    expect(await stored(connectionId)).toMatchObject({ contacts: 1, came: 0, went: 0 });
  });
});

test("a silent contact without messages is deleted, but its opt-out is retained", async () => {
  const { connectionId } = await makeConversation();
  const optedOut = await putContact(api.deps.sql, connectionId, { address: "wants nothing" });
  await api.deps.sql`update channel_contacts set opted_out_at = clock() where id = ${optedOut}`;
  await grow({ connectionId, days: 401 });
  expect(await deleteForgottenContacts(api.deps.sql, { days: 400, limit: 100 })).toBe(1);
  await api.deps.sql`delete from channel_inbox where connection_id = ${connectionId}`;
  await api.deps.sql`delete from channel_sendings where connection_id = ${connectionId}`;

  expect(await deleteForgottenContacts(api.deps.sql, { days: 400, limit: 100 })).toBe(1);
  expect(await api.deps.sql`select from channel_contacts where connection_id = ${connectionId}`).toHaveLength(0);
  // Only a hash of the contact's address is stored.
  expect(await api.deps.sql`select from channel_opt_outs where connection_id = ${connectionId}`).toHaveLength(1);
});

test("waiting messages of a suspended workspace are dropped after a day", async () => {
  const within = await api.makeWorkspace(admin);
  const { connectionId } = await makeConversation({}, within);
  const { sql } = api.deps;
  await sql`update channel_inbox set state = 'waiting' where connection_id = ${connectionId}`;
  await grow({ connectionId, days: 2 });
  expect(await dropSuspended(sql, { hours: 24, limit: 100 })).toBe(0);
  await sql`update workspaces set is_suspended = true where id = ${within}`;
  while ((await dropSuspended(sql, { hours: 24, limit: 1 })) > 0);

  const came = await sql`select distinct state, reason from channel_inbox where connection_id = ${connectionId}`;
  expect([...came]).toEqual([{ state: "dropped", reason: "suspended" }]);
  const owed = await sql`
    select from channel_sendings where connection_id = ${connectionId} and state in ('pending', 'sending')`;
  expect(owed).toHaveLength(0);
});

test("a connection that was never registered is removed", async () => {
  const { connectionId } = await makeConversation();
  const { sql } = api.deps;
  // The state after a process died between storing and registering the connection.
  await sql`
    update channel_connections
    set is_enabled = false, disabled_reason = 'unregistered', created_at = clock() - interval '1 hour'
    where id = ${connectionId}`;
  await makeConversation();
  expect(await sql`select from channel_connections where id = ${connectionId}`).toHaveLength(0);
  expect(await removeLeftBehind(sql, { minutes: 5 })).toBe(0);
});

describe("a deleted connection", () => {
  test("a deleted connection is removed in batches with all its rows", async () => {
    const gone = await makeConversation();
    const other = await makeConversation();
    await putContact(api.deps.sql, gone.connectionId);
    const path = `/api/v1/workspaces/${workspaceId}/channel-connections/${gone.connectionId}`;
    await api.client.delete(path, { token: admin.token, query: { name: "Ours" } });
    // A process with the connection in its cache may still store a call.
    expect(await removeDeletedConnections(api.deps.sql, 1)).toBe(0);
    await api.deps.sql`
      update channel_connections set deleted_at = deleted_at - interval '1 minute' where id = ${gone.connectionId}`;
    while ((await removeDeletedConnections(api.deps.sql, 1)) > 0);

    expect(await stored(gone.connectionId)).toEqual({
      ...{ connections: 0, contacts: 0, addresses: 0, came: 0, readable: 0, went: 0, sayable: 0 },
    });
    expect(await stored(other.connectionId)).toEqual(all);
  });

  test("a connection is disabled while its workspace is in the bin", async () => {
    const within = await api.makeWorkspace(admin);
    const { connectionId } = await makeConversation({}, within);
    const at = `/api/v1/workspaces/${within}`;
    const state = async () =>
      (await api.deps.sql`select is_enabled, disabled_reason from channel_connections where id = ${connectionId}`)[0];
    await api.client.delete(at, { token: admin.token });
    expect(await state()).toEqual({ isEnabled: false, disabledReason: "workspace_deleted" });
    await api.client.post(`${at}/restore`, { token: admin.token });
    expect(await state()).toEqual({ isEnabled: true, disabledReason: null });
    await api.client.delete(at, { token: admin.token });
    await api.client.post(`${at}/erase`, { token: admin.token });
    await api.deps.sql`update workspaces set deleted_at = deleted_at - interval '1 minute' where id = ${within}`;
    while ((await removeDeletedConnections(api.deps.sql, 1)) > 0);
    expect(await stored(connectionId)).toMatchObject({ connections: 0, contacts: 0, came: 0 });
  });
});

describe("a copy of a database", () => {
  const states = async () => {
    const rows = await api.deps.sql`select distinct disabled_reason from channel_connections where deleted_at is null`;
    return rows.map(({ disabledReason }) => disabledReason);
  };

  test("connections in a restored or moved database are disabled", async () => {
    const { sql, config } = api.deps;
    await sql`delete from channel_connections`;
    const { connectionId } = await makeConversation();
    expect(await silenceCopies(sql, config)).toMatchObject({ count: 0 });
    expect(await silenceCopies(sql, { ...config, CHAT_URL: "https://staging.example.com" })).toEqual({
      count: 1,
      reason: "moved",
    });
    expect(await states()).toEqual(["moved"]);
    const path = `/api/v1/workspaces/${workspaceId}/channel-connections/${connectionId}`;
    await api.client.post(`${path}/enable`, { token: admin.token });
    expect(await silenceCopies(sql, config)).toMatchObject({ count: 0 });

    await noteRestored(config.DATA_DIR);
    expect(await silenceCopies(sql, config)).toEqual({ count: 1, reason: "restored" });
    await api.client.post(`${path}/enable`, { token: admin.token });
    // The previous start removed the marker of the restored backup.
    expect(await silenceCopies(sql, config)).toMatchObject({ count: 0 });
  });

  test("a copy of a database is detected by its folder", async () => {
    const { sql, config } = api.deps;
    const original = temporaryFolder();
    const copy = temporaryFolder();
    const embedded = { ...config, DATA_DIR: original.path };
    const mark = await instanceMark(sql, embedded);
    expect(await instanceMark(sql, embedded)).toBe(mark);
    await cp(original.path, copy.path, { recursive: true });
    expect(await instanceMark(sql, { ...embedded, DATA_DIR: copy.path })).not.toBe(mark);
    expect(await instanceMark(sql, { ...embedded, DATA_DIR: copy.path })).toBe(
      await instanceMark(sql, { ...embedded, DATA_DIR: copy.path }),
    );

    const { CHAT_URL: _, PUBLIC_URL: __, ...withoutAddress } = config;
    const external = { ...withoutAddress, DATABASE_URL: "postgres://db.example.com/parley" };
    expect(await instanceMark(sql, external)).toMatch(/^database \d+\.\d+$/);
    await sql`update channel_connections set is_enabled = true, disabled_reason = null, enabled_for = ''`;
    expect(await silenceCopies(sql, external)).toMatchObject({ count: 0 });
    await sql`update channel_connections set enabled_for = 'database 1.1'`;
    expect((await silenceCopies(sql, external)).count).toBeGreaterThan(0);
  });

  test("a copied database keeps connections disabled when their workspace is restored", async () => {
    const { sql, config } = api.deps;
    const within = await api.makeWorkspace(admin);
    const { connectionId } = await makeConversation({}, within);
    await api.client.delete(`/api/v1/workspaces/${within}`, { token: admin.token });
    expect((await listConnectionStates(sql, 100)).map(({ disabledReason }) => disabledReason)).not.toContain(
      "workspace_deleted",
    );
    await silenceCopies(sql, { ...config, CHAT_URL: "https://staging.example.com" });
    await api.client.post(`/api/v1/workspaces/${within}/restore`, { token: admin.token });

    const [row] = await sql`select is_enabled, disabled_reason from channel_connections where id = ${connectionId}`;
    expect(row).toEqual({ isEnabled: false, disabledReason: "moved" });
  });
});
