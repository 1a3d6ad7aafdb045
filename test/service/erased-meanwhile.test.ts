import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { waitFor } from "../support/wait.ts";

let api: TestApi;
let owner: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
});
afterAll(() => api.close());

type Place = { readonly workspaceId: string; readonly folderId: string; readonly botId: string };

/**
 * Requests that create an object in a container. The container is erased after the service has found it, and before the
 * object is stored.
 */
const makings = [
  ["POST", "folders", "bots", ({ workspaceId, folderId }: Place) => ({ workspaceId, bot: { folderId } })],
  [
    "POST",
    "folders",
    "bots/import",
    ({ workspaceId, folderId }: Place) => ({ workspaceId, folderId, bot: { version: "6" } }),
  ],
  ["POST", "workspaces", "bots", ({ workspaceId }: Place) => ({ workspaceId, bot: {} })],
  ["POST", "workspaces", "bots/import", ({ workspaceId }: Place) => ({ workspaceId, bot: { version: "6" } })],
  ["POST", "workspaces", "folders", ({ workspaceId }: Place) => ({ workspaceId })],
  ["POST", "workspaces", "users/me/api-tokens", ({ workspaceId }: Place) => ({ name: "Bound", workspaceId })],
  ["POST", "workspaces", "workspaces/:workspaceId/custom-domains", () => ({ name: "chat.example.com" })],
  ["POST", "workspaces", "workspaces/:workspaceId/invitations", () => ({ email: "ada@example.com" })],
  ["PUT", "bots", "bots/:botId/collaborators", () => ({ email: "ada@example.com", type: "READ" })],
] as const;

test.each(makings)(
  "a %s returns 404 if its container in %s is erased in the meantime: /%s",
  async (method, table, path, bodyOf) => {
    const { token } = owner;
    const workspaceId = await api.makeWorkspace(owner);
    const folder = await api.client.post("/api/v1/folders", { token, body: { workspaceId } });
    const bot = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot: {} } });
    const place = { workspaceId, folderId: folder.text("folder.id"), botId: bot.text("bot.id") };
    const erased = { folders: place.folderId, workspaces: workspaceId, bots: place.botId }[table];
    const url = path.replace(":workspaceId", workspaceId).replace(":botId", place.botId);

    const { sql } = api.deps;
    const waits = () => sql`
    select
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
    const answering = await sql.begin(async (erasing) => {
      await erasing`delete from ${erasing(table)} where id = ${erased}`;
      const asked = api.client.send(method, `/api/v1/${url}`, { token, body: bodyOf(place) });
      await waitFor(async () => (await waits()).length > 0, { what: "the row to wait for what it hangs on" });
      return { asked };
    });

    const answer = await answering.asked;
    expect([answer.status, answer.at("code")]).toEqual([404, `${table.slice(0, -1)}.not_found`]);
  },
);
