import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { connectWebhookChannel } from "../support/channels.ts";
import { testKey } from "../support/events.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runCommand } from "../support/service.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
let api: TestApi;
let admin: TestUser;
let server: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  admin = await api.makeUser();
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
  folder.remove();
});

async function runJson(...args: readonly string[]) {
  const environment = {
    PARLEY_URL: `http://127.0.0.1:${server.port}`,
    PARLEY_TOKEN: admin.token,
    DATA_DIR: folder.path,
  };
  const { stdout, stderr, exitCode } = await runCommand([...args, "--json"], { environment });
  return { exitCode, stderr, json: JSON.parse(stdout) };
}

test("channels enable --all enables only connections that a restore disabled", async () => {
  const { sql } = api.deps;
  const workspaceId = await api.makeWorkspace(admin);
  const connect = async (name: string) =>
    await connectWebhookChannel({
      ...{ client: api.client, token: admin.token, workspaceId, name, url: "https://crm.example.com/" },
    });
  const restored = await connect("Restored");
  const byHand = await connect("By hand");
  await sql`
    update channel_connections
    set is_enabled = false,
      disabled_reason = case when name = 'By hand' then 'by_hand' else 'restored' end`;
  const other = await api.makeUser();
  await api.makeWorkspace(other, { [admin.userId]: "GUEST" });
  for (let count = 0; count < 60; count++) await api.makeWorkspace(admin);
  const listed = await runJson("channels", "list");
  const enabled = await runJson("channels", "enable", "--all");
  const checked = await runJson("channels", "check", "Restored");
  const unknown = await runCommand(["channels", "check", "Nothing"], {
    environment: { PARLEY_URL: `http://127.0.0.1:${server.port}`, PARLEY_TOKEN: admin.token, DATA_DIR: folder.path },
  });

  const ids = listed.json.channelConnections.map(({ id }: { id: string }) => id);
  expect(ids.toSorted()).toEqual([restored.connectionId, byHand.connectionId].toSorted());
  expect(enabled).toMatchObject({ exitCode: 0, json: { enabled: [restored.connectionId], failed: [] } });
  expect(checked).toMatchObject({ exitCode: 0, json: { checks: [{ connectionId: restored.connectionId }] } });
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('"Nothing"') });
});
