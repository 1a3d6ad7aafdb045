import { expect, test } from "bun:test";
import { findDomainHome } from "../../../src/management/domains/custom-domains.sql.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createEmptyDatabase } from "../../support/database.ts";

test("domains from before the introduction of proofs are still served", async () => {
  const database = await createEmptyDatabase();
  const { sql } = database;
  const at = migrations.findIndex(({ name }) => name === "0018_custom_domains");
  await migrate(sql, migrations.slice(0, at));
  const older = await putBot(sql, { customDomain: "Chat.Example.com", daysAgo: 2 });
  const younger = await putBot(sql, { customDomain: "chat.example.com/other", daysAgo: 1 });
  const alone = await putBot(sql, { customDomain: "alone.example.com/a", daysAgo: 1 });
  await putBot(sql, { customDomain: null, daysAgo: 1 });

  await migrate(sql);

  const home = (host: string, path: string) => findDomainHome(sql, { host, path });
  expect(await home("chat.example.com", "")).toEqual(older);
  expect(await home("chat.example.com", "/other")).toEqual({ ...older, publicId: null });
  expect(await home("alone.example.com", "/A")).toEqual(alone);
  const claims = await sql`
    select workspace_id, name, state, length(proof) as length, unproved_since <= clock() as is_unproved, next_check_at <= clock() as is_due
    from custom_domains
    order by name, state desc`;
  const waiting = { length: 32, isUnproved: true, isDue: true };
  expect([...claims]).toEqual([
    { workspaceId: alone.workspaceId, name: "alone.example.com", state: "verified", ...waiting },
    { workspaceId: older.workspaceId, name: "chat.example.com", state: "verified", ...waiting },
    { workspaceId: younger.workspaceId, name: "chat.example.com", state: "pending", ...waiting },
  ]);
  await database.close();
});

async function putBot(sql: Sql, { customDomain, daysAgo }: { customDomain: string | null; daysAgo: number }) {
  const workspaceId = newId();
  const publicId = `bot-${newId()}`;
  await sql`insert into workspaces (id, name) values (${workspaceId}, 'W')`;
  await sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings, public_id, custom_domain, created_at)
    values (
      ${newId()}, ${workspaceId}, '6', 'B', '[]', '[]', '[]', '{}', '{}', ${publicId}, ${customDomain},
      clock() - make_interval(days => ${daysAgo})
    )`;
  return { workspaceId, publicId };
}
