import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { newId } from "../../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../../fake-channels/webhook.ts";
import { createTestApi } from "../../support/api.ts";
import { connectWebhookChannel, putContact, putInbox, putSending } from "../../support/channels.ts";
import { createClient } from "../../support/client.ts";
import { createEmptyDatabase, createTestDatabase } from "../../support/database.ts";
import { longTest } from "../../support/long-test.ts";
import { commandOf } from "../../support/programs.ts";
import { cleanupStack, endService, runCommand, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const settings = {
  ...{ ENCRYPTION_KEY: "k".repeat(40), CHAT_URL: "https://chat.example.com" },
  ...{ DATABASE_POOL: "4", WORKER_THREADS: "1", LOG_LEVEL: "warn" },
};

async function startFake(): Promise<FakeWebhook> {
  const service = await startFakeWebhook();
  cleanups.add(() => service.close());
  return service;
}

/** Creates an instance with one waiting and one unsent message of a connection, and a copy from its backup. */
async function restoredCopy() {
  const database = await createTestDatabase();
  const { ENCRYPTION_KEY, CHAT_URL } = settings;
  // A copy with the same address counts as the same instance.
  const api = await createTestApi({ database, config: { ENCRYPTION_KEY, CHAT_URL, DATABASE_URL: database.url } });
  cleanups.add(api.close);
  const { sql } = api.deps;
  const admin = await api.makeUser();
  const workspaceId = await api.makeWorkspace(admin);
  const place = { client: api.client, token: admin.token, workspaceId };
  const service = await startFake();
  const { connectionId, madeSecrets } = await connectWebhookChannel({ ...place, url: "https://example.com/bot" });
  service.secret = madeSecrets["secret"] ?? "";
  // The API rejects connections to a loopback address, so the test writes the URL to the database.
  const stored = JSON.stringify({ url: service.url });
  await sql`update channel_connections set settings = ${stored}::text::json where id = ${connectionId}`;
  const contactId = await putContact(sql, connectionId, { address: "ana" });
  await putSending(sql, { connectionId, contactId, state: "pending" });
  const id = newId();
  const contact = { kind: "person", addresses: [{ kind: "chat", value: "ana" }] };
  const content = { kind: "message", providerId: id, contact, content: { kind: "text", text: "Hi" } };
  await putInbox(sql, { connectionId, contactId, state: "waiting", content });

  const backup = join(cleanups.folder(), "backup.tar");
  const original = { ...settings, DATABASE_URL: api.databaseUrl, DATA_DIR: cleanups.folder() };
  expect(await runCommand(["backup", backup], { environment: original })).toMatchObject({ exitCode: 0 });
  const empty = await createEmptyDatabase();
  cleanups.add(empty.close);
  const environment = { ...settings, DATABASE_URL: empty.url, DATA_DIR: cleanups.folder() };
  const outcome = await runCommand(["restore", backup], { environment });
  const stateOf = async (of: typeof sql) => {
    const [state] = await of`
      select is_enabled, disabled_reason from channel_connections where id = ${connectionId}`;
    return state;
  };
  return {
    ...{ connectionId, workspaceId, token: admin.token, service, environment, outcome, stateOf },
    ...{ original: sql, copy: empty.sql },
  };
}

test("connections in a restored backup are disabled", async () => {
  const { outcome, stateOf, original, copy } = await restoredCopy();

  expect(outcome.exitCode).toBe(0);
  expect(outcome.stderr).toContain(
    "1 connection to a messenger is disabled, so that this copy does not answer contacts",
  );
  expect(await stateOf(copy)).toEqual({ isEnabled: false, disabledReason: "restored" });
  expect(await stateOf(original)).toEqual({ isEnabled: true, disabledReason: null });
});

longTest("a restored service sends no messages until its connection is enabled", async () => {
  const { connectionId, workspaceId, token, service, environment, copy } = await restoredCopy();
  const node = await startService({ command: commandOf("test/support/held-service.ts"), environment });
  cleanups.add(() => endService(node));
  const place = { client: createClient({ baseUrl: node.url }), token, workspaceId };
  const sent = (to: FakeWebhook) => waitFor(() => to.shown.length === 1);

  // A connection that the copy itself created is found by the same search for work.
  const other = await startFake();
  const made = await connectWebhookChannel({ ...place, url: "https://example.com/other", name: "Of the copy" });
  other.secret = made.madeSecrets["secret"] ?? "";
  const stored = JSON.stringify({ url: other.url });
  await copy`update channel_connections set settings = ${stored}::text::json where id = ${made.connectionId}`;
  const contactId = await putContact(copy, made.connectionId, { address: "bo" });
  await putSending(copy, { connectionId: made.connectionId, contactId, state: "pending" });
  await sent(other);
  expect(service.calls).toEqual([]);
  const waiting = await copy`
    select from channel_inbox where connection_id = ${connectionId} and state = 'waiting'`;
  expect(waiting).toHaveLength(1);

  const enable = `/api/v1/workspaces/${workspaceId}/channel-connections/${connectionId}/enable`;
  expect((await place.client.post(enable, { token, body: {} })).status).toBe(200);
  await sent(service);
});
