import { migrate } from "../../src/platform/database/schema/migrate.sql.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { type ClusterServer, createCluster } from "./cluster.ts";
import type { cleanupStack } from "./service.ts";
import { waitFor } from "./wait.ts";

/** Settings for speed instead of durability, because the machine does not crash in these tests. */
const quick = { fsync: "off", full_page_writes: "off", shared_buffers: "16MB", autovacuum: "off" };

/** Servers with all tables of the service. */
export type MigratedCluster = {
  /** Starts a copy, either independent or as a standby of another server. The copy runs until the test ends. */
  addServer(following?: ClusterServer): Promise<ClusterServer>;
  /** Starts a server of another cluster, which also has the tables. */
  addStranger(): Promise<ClusterServer>;
  startPair(): Promise<{ first: ClusterServer; second: ClusterServer }>;
  /** Starts a pair, kills the primary, promotes the standby, and restarts the old primary as a primary. */
  startDivided(): Promise<{ old: ClusterServer; promoted: ClusterServer }>;
  urlOf(...servers: readonly ClusterServer[]): string;
};

type Cleanups = ReturnType<typeof cleanupStack>;

/**
 * Creates the cluster, and adds its clean-ups to `file`, which runs after all tests, and to `test`, which runs after
 * each test.
 */
export async function createMigratedCluster({
  file,
  test,
}: {
  file: Cleanups;
  test: Cleanups;
}): Promise<MigratedCluster> {
  const cluster = createCluster(file.folder());
  file.add(cluster.stop);
  const addMigrated = async (): Promise<ClusterServer> => {
    const server = await cluster.add({ settings: quick });
    await server.start();
    const sql = connect(server.url, { connections: 1 });
    await migrate(sql);
    await sql.end();
    return server;
  };
  const template = await addMigrated();
  await template.end("SIGINT");
  const addServer = async (following?: ClusterServer): Promise<ClusterServer> => {
    const server = await cluster.add({ copyOf: template, settings: quick });
    test.add(() => server.end());
    if (following) await server.followFrom(following);
    await server.start();
    if (following) await waitFor(async () => await follows(server, following), { what: "the standby to follow" });
    return server;
  };
  const startPair = async () => {
    const first = await addServer();
    return { first, second: await addServer(first) };
  };
  return {
    addServer,
    async addStranger() {
      const server = await addMigrated();
      test.add(() => server.end());
      return server;
    },
    startPair,
    async startDivided() {
      const { first, second } = await startPair();
      await first.end();
      await second.promote();
      await first.start();
      return { old: first, promoted: second };
    },
    urlOf: cluster.urlOf,
  };
}

/** Whether a standby streams from its primary, and has all data that the primary has written. */
async function follows(standby: ClusterServer, primary: ClusterServer): Promise<boolean> {
  const [row] = await primary.ask("select pg_current_wal_flush_lsn()::text as position");
  const [caught] = await standby.ask(
    `select coalesce(pg_last_wal_replay_lsn() >= '${String(row?.["position"])}', false) as is_there,
      exists (select from pg_stat_wal_receiver) as is_streaming`,
  );
  return caught?.["is_there"] === true && caught["is_streaming"] === true;
}
