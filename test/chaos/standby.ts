import { type Cluster, clusterIsMissing, createCluster } from "../support/cluster.ts";
import { waitFor } from "../support/wait.ts";

/**
 * A primary and its standby with synchronous replication: everything that the primary acknowledged is on the standby's
 * disk.
 */
export type Pair = {
  /** A URL with the addresses of both servers. */
  readonly url: string;
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Kills the primary with SIGKILL, and promotes the standby. */
  failOver(): Promise<void>;
  /** Runs statements on the primary, even while it rejects other clients. */
  askPrimary(...statements: readonly string[]): Promise<void>;
  stop: Cluster["stop"];
};

/** Returns why no pair of servers can be created, or undefined if a pair can be created. */
export const pairIsMissing = clusterIsMissing;

export async function startPair(folder: string): Promise<Pair> {
  const cluster = createCluster(folder);
  const primary = await cluster.add();
  const standby = await cluster.add({ copyOf: primary });
  await standby.followFrom(primary);
  await primary.start({ synchronous_standby_names: "*" });
  await standby.start();
  const isInStep = async () =>
    (await primary.ask("select from pg_stat_replication where sync_state = 'sync'")).length > 0;
  await waitFor(isInStep, { what: "the standby to follow" });
  return {
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    url: cluster.urlOf(primary, standby),
    async failOver() {
      await primary.end();
      await standby.promote();
    },
    async askPrimary(...statements) {
      for (const statement of statements) await primary.ask(statement);
    },
    stop: cluster.stop,
  };
}
