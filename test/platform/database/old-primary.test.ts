import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { acceptPrimary } from "../../../src/platform/database/primary/primary-acceptance.ts";
import { createWriteWatch } from "../../../src/platform/database/primary/write-watch.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { type ClusterServer, clusterIsMissing } from "../../support/cluster.ts";
import { longTest } from "../../support/long-test.ts";
import { createMigratedCluster, type MigratedCluster } from "../../support/migrated-cluster.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);

const missing = clusterIsMissing();
if (missing !== undefined) process.stdout.write(`Tests of old primaries are skipped: ${missing}\n`);

const shared = cleanupStack();
const cleanups = cleanupStack();
let cluster: MigratedCluster;

beforeAll(async () => {
  if (missing === undefined) cluster = await createMigratedCluster({ file: shared, test: cleanups });
});
afterEach(cleanups.run);
afterAll(shared.run);

/** Opens the pool of a process that knows nothing about the servers yet. */
function openNode(...servers: readonly ClusterServer[]): Sql {
  const sql = connect(cluster.urlOf(...servers), {
    connections: 2,
    probeTimes: { watchMs: 50, silenceMs: 20_000 },
    watch: { leads: createWriteWatch() },
  });
  cleanups.add(() => sql.end({ timeout: 0 }));
  return sql;
}

/** Returns the port of the responding server, or the code of the error. */
async function servedBy(sql: Sql): Promise<unknown> {
  try {
    const [row] = await sql<[{ port: number }]>`select current_setting('port')::int as port`;
    return row.port;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : String(error);
  }
}

async function untilServedBy(sql: Sql, expected: unknown): Promise<void> {
  let last: unknown;
  await waitFor(
    async () => {
      last = await servedBy(sql);
      return last === expected;
    },
    { withinMs: 60_000, what: () => `${String(expected)} instead of ${String(last)}` },
  );
}

async function notedTimeline(server: ClusterServer): Promise<number> {
  const [row] = await server.ask("select timeline::int as timeline from known_timelines");
  return Number(row?.["timeline"] ?? 0);
}

describe.skipIf(missing !== undefined)("an old primary that returns as a writer", () => {
  longTest("an old primary is rejected by a node that starts afterwards", async () => {
    const { old, promoted } = await cluster.startDivided();

    expect(await servedBy(openNode(old, promoted))).toBe(promoted.port);
    expect(await servedBy(openNode(promoted, old))).toBe(promoted.port);
  });

  test("an old primary is rejected by a node that knows the new primary", async () => {
    const { old, promoted } = await cluster.startDivided();
    const node = openNode(old, promoted);
    await untilServedBy(node, promoted.port);

    await promoted.end();

    await untilServedBy(node, "PRIMARY_REFUSED");
    await promoted.start();
    await untilServedBy(node, promoted.port);
  });

  longTest("an old primary is rejected if another node recorded the new primary", async () => {
    const { old, promoted } = await cluster.startDivided();
    const node = openNode(old, promoted);
    await untilServedBy(node, promoted.port);
    await waitFor(async () => (await notedTimeline(old)) === 2, { what: "the note in the old primary" });

    await promoted.end();

    await untilServedBy(openNode(old, promoted), "PRIMARY_REFUSED");
  });

  longTest("an old primary is rejected if a standby recorded the new primary", async () => {
    const { old, promoted } = await cluster.startDivided();
    const other = await cluster.addServer(promoted);
    await promoted.ask("insert into known_timelines select system_identifier::text, 2 from pg_control_system()");
    await waitFor(async () => (await notedTimeline(other)) === 2, { what: "the standby to follow" });
    await promoted.end();

    await untilServedBy(openNode(old, promoted, other), "PRIMARY_REFUSED");
  });

  test("a primary is replaced by its promoted standby, even for open connections", async () => {
    const { first, second } = await cluster.startPair();
    const node = openNode(first, second);
    await untilServedBy(node, first.port);

    await second.promote();

    await untilServedBy(node, second.port);
    expect(await servedBy(node)).toBe(second.port);
  });

  longTest("an old primary is abandoned by both pools of a node", async () => {
    const { first, second } = await cluster.startPair();
    const watch = createWriteWatch();
    const [leader, follower] = [{ leads: watch }, { follows: watch }].map((role, index) => {
      const url = `${cluster.urlOf(first, second)}?application_name=pool_${index}`;
      // The servers are only checked when a connection is made.
      const sql = connect(url, { connections: 1, probeTimes: { watchMs: 600_000, silenceMs: 20_000 }, watch: role });
      cleanups.add(() => sql.end({ timeout: 0 }));
      return sql;
    });
    if (!leader || !follower) throw new Error("There are two pools");
    expect([await servedBy(leader), await servedBy(follower)]).toEqual([first.port, first.port]);
    await second.promote();

    await first.ask("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pool_0'");

    await untilServedBy(leader, second.port);
    await untilServedBy(follower, second.port);
  });

  test("an old primary is used if no other node has seen the new primary", async () => {
    const { old, promoted } = await cluster.startDivided();
    await promoted.end();

    expect(await servedBy(openNode(old, promoted))).toBe(old.port);
  });

  test("an old primary that an operator has chosen is used by all nodes", async () => {
    const { old, promoted } = await cluster.startDivided();
    const node = openNode(old, promoted);
    await untilServedBy(node, promoted.port);

    await acceptPrimary(cluster.urlOf(old, promoted), old.host);

    await untilServedBy(node, old.port);
    expect(await servedBy(openNode(promoted, old))).toBe(old.port);
    await waitFor(async () => (await reportedEpoch(promoted)) === 1, { what: "the note in the refused server" });
    await old.end();
    await untilServedBy(openNode(promoted, old), "PRIMARY_REFUSED");
  });
});

async function reportedEpoch(server: ClusterServer): Promise<number> {
  const [row] = await server.ask("select max(told_epoch) as epoch from known_timelines");
  return Number(row?.["epoch"] ?? 0);
}

describe.skipIf(missing !== undefined)("two servers that accept writes", () => {
  longTest("two servers that accept writes on the same timeline are both rejected", async () => {
    const { first, second } = await cluster.startPair();
    const third = await cluster.addServer(first);
    await first.end();
    await second.promote();
    const node = openNode(first, second, third);
    await untilServedBy(node, second.port);

    await third.promote();

    await untilServedBy(node, "PRIMARY_REFUSED");
    await untilServedBy(openNode(third, second), "PRIMARY_REFUSED");
    await second.end();
    await untilServedBy(node, third.port);
  });

  test("a node keeps its server if the other server belongs to another cluster", async () => {
    const old = await cluster.addServer();
    const other = await cluster.addStranger();
    const node = openNode(old, other);
    await other.end("SIGINT");
    await untilServedBy(node, old.port);
    await other.start();

    expect(await servedBy(openNode(other, old))).toBe("PRIMARY_REFUSED");
    await old.end();
    await untilServedBy(node, other.port);
    await old.start();
    await notedIn(other);
    expect(await servedBy(node)).toBe(other.port);
  });

  longTest("a server that was restored from a dump of the other server is preferred", async () => {
    const [old, restored] = [await cluster.addServer(), await cluster.addStranger()];
    await untilServedBy(openNode(old), old.port);
    const [row] = await notedIn(old);
    await restored.ask(
      `insert into known_timelines (system_identifier, timeline) values ('${String(row?.["id"])}', ${Number(row?.["timeline"])})`,
    );
    await untilServedBy(openNode(restored), restored.port);
    await waitFor(async () => (await notedIn(restored)).length === 2, { what: "its own note" });

    expect(await servedBy(openNode(old, restored))).toBe(restored.port);
  });

  test("one server with two addresses is accepted", async () => {
    const server = await cluster.addServer();

    expect(await servedBy(openNode(server, { ...server, host: `localhost:${server.port}` }))).toBe(server.port);
  });

  longTest("one of the servers is used if no server reports its identity", async () => {
    const { old, promoted } = await cluster.startDivided();
    await promoted.ask("revoke execute on function pg_control_system from public");
    await old.ask("revoke execute on function pg_control_system from public");
    for (const server of [old, promoted]) await server.ask("create role plain login");
    const sql = connect(cluster.urlOf(old, promoted).replace("parley@", "plain@"), { connections: 1 });
    cleanups.add(() => sql.end({ timeout: 0 }));

    expect([old.port, promoted.port]).toContain(Number(await servedBy(sql)));
  });
});

async function notedIn(server: ClusterServer) {
  return await waitFor(
    async () => {
      const rows = await server.ask("select system_identifier as id, timeline from known_timelines order by noted_at");
      return rows.length > 0 && rows;
    },
    { what: "a note" },
  );
}
