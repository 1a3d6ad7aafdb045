import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { serviceAccount } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let google: FakeGoogle;
let threads: Threads;
let api: TestApi;
let spreadsheetId: string;
let publicId: string;

beforeAll(async () => {
  google = await startFakeGoogle();
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google]) } });
  const { token, ...owner } = await api.makeUser();
  const workspaceId = await api.makeWorkspace({ ...owner, token });
  const path = `/api/v1/workspaces/${workspaceId}/credentials`;
  const body = { type: "google sheets", name: "Ours", data: serviceAccount };
  const credentialsId = (await api.client.post(path, { token, body })).text("credentials.id");
  spreadsheetId = google.sheets.make({ rows: [["Name"]], sharedWith: [serviceAccount.clientEmail] });
  const options = { credentialsId, spreadsheetId, sheetId: "0", action: "Insert a row" };
  const row = { column: "Name", value: "{{Name}}" };
  const flow = flowOf([
    asks("text input", { variableId: idOf("Name") }),
    { id: "row", type: "Google Sheets", options: { ...options, cellsToInsert: [row] } },
    says("Thanks"),
  ]);
  ({ publicId } = await publish(api.client, { token, workspaceId }, flow));
});
afterAll(async () => {
  await threads.close();
  await api.close();
  await google.close();
});

async function write(name: string, before: (sessionId: string) => Promise<unknown> = async () => {}) {
  const sessionId = (await start(api.client, publicId)).text("sessionId");
  await before(sessionId);
  expect((await say(api.client, sessionId, name)).at("messages.0.content.plainText")).toBe("Thanks");
}

test("an existing row is skipped only if a dead process may have written the row", async () => {
  const rows = () => google.sheets.rowsOf(spreadsheetId).slice(1).flat();
  await write("Ana");
  await write("Ana");
  expect(rows()).toEqual(["Ana", "Ana"]);

  const claimed = (sessionId: string) => api.deps.sql`
    update sessions
    set
      claim_step_id = ${newId()},
      claim_hash = decode(repeat('ab', 32), 'hex'),
      claim_now = clock(),
      claim_seed = 'another seed',
      claim_until = clock()
    where id = ${sessionId}`;
  await write("Ana", claimed);
  await write("Bob", claimed);
  expect(rows()).toEqual(["Ana", "Ana", "Bob"]);
});
