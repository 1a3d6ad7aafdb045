import { expect, test } from "bun:test";
import { createTestApi } from "../../support/api.ts";
import { nameAndEmail, publish, say, start } from "../../support/chat.ts";
import { createTestDatabase } from "../../support/database.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { createThreads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

test("a read returns one consistent state of a session", async () => {
  await using ends = new AsyncDisposableStack();
  const threads = createThreads({ count: 1 });
  ends.defer(threads.close);
  const database = await createTestDatabase();
  ends.defer(database.close);
  const proxy = await openDatabaseProxy(database.url);
  ends.defer(proxy.close);
  const shared = { threads, database: { ...database, close: async () => {} } };
  const writer = await createTestApi({ ...shared, through: async (url) => url });
  ends.defer(writer.close);
  const reader = await createTestApi({ ...shared, through: async () => proxy.url });
  ends.defer(reader.close);
  const owner = await writer.makeUser();
  const workspaceId = await writer.makeWorkspace(owner);
  const { publicId } = await publish(writer.client, { token: owner.token, workspaceId }, nameAndEmail);
  const sessionId = (await start(writer.client, publicId)).text("sessionId");

  // Delay the read of the session's steps. The service reads the session's row before the steps.
  const late = proxy.inject({ statement: /^\s*select revision, reply, response/, kind: "delay", ms: 2_000 });
  const reading = reader.client.get(`/api/v1/sessions/${sessionId}`);
  await waitFor(() => late.met() > 0);
  await say(writer.client, sessionId, "Ana");
  const read = await reading;

  expect(read.at("session.steps.*.revision")).toEqual([1]);
  expect(read.at("session.input.type")).toBe("text input");
  expect(read.at("session.revision")).toBe(1);
});
