import { expect, test } from "bun:test";
import { publicIdIssues } from "../../../src/management/access/public-addresses.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { type MigrationNote, migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createEmptyDatabase } from "../../support/database.ts";

test("a migration replaces a public id that equals the builder's address", async () => {
  const database = await createEmptyDatabase();
  const { sql } = database;
  const at = migrations.findIndex(({ name }) => name.endsWith("_app_address"));
  await migrate(sql, migrations.slice(0, at));
  const botId = await putBot(sql, { publicId: "App", formerPublicId: null });
  const binnedId = await putBot(sql, { publicId: null, formerPublicId: "app" });
  const otherId = await putBot(sql, { publicId: "apples", formerPublicId: null });
  const notes: MigrationNote[] = [];

  await migrate(sql, undefined, { onNote: (note) => notes.push(note) });

  const rows = await sql<{ id: string; publicId: string | null; formerPublicId: string | null }[]>`
    select id, public_id, former_public_id from bots`;
  const bots = new Map(rows.map(({ id, ...bot }) => [id, bot]));
  const given = bots.get(botId)?.publicId ?? "";
  expect(given).toMatch(/^app-[0-9a-f]{12}$/);
  expect([publicIdIssues(given, ""), publicIdIssues("APP", "publicId")]).toEqual([
    [],
    [{ path: "publicId", message: "must not be a reserved word" }],
  ]);
  expect(notes).toEqual([
    { note: "A bot has another public id: app is the builder's", botId, was: "App", isNow: given },
  ]);
  expect(bots.get(binnedId)).toEqual({ publicId: null, formerPublicId: null });
  expect(bots.get(otherId)?.publicId).toBe("apples");
  await database.close();
});

async function putBot(sql: Sql, bot: { publicId: string | null; formerPublicId: string | null }): Promise<string> {
  const [workspaceId, id] = [newId(), newId()];
  await sql`insert into workspaces (id, name) values (${workspaceId}, 'W')`;
  await sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings, public_id, former_public_id)
    values (${id}, ${workspaceId}, '6', 'B', '[]', '[]', '[]', '{}', '{}', ${bot.publicId}, ${bot.formerPublicId})`;
  return id;
}
