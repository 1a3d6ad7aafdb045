import type { Config } from "../config.ts";
import type { Clock } from "./concurrency/clock.ts";
import type { DatabasePlaces } from "./database/database-places.ts";
import type { LateWrites } from "./database/outages/late-writes.ts";
import type { OutageWatch } from "./database/outages/outage-watch.ts";
import type { ReplicaReads } from "./database/replica/read-replica.ts";
import type { OlderNodes } from "./database/schema/older-nodes.ts";
import type { Sql } from "./database/sql.ts";
import type { Traces } from "./observing/exporter.ts";
import type { Log } from "./observing/log.ts";
import type { Siblings } from "./processes/collector.ts";
import type { RateLimits } from "./rate-limits/rate-limits.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The members that every room may ask for: settings, log, database, clock and bounds. None of them names a noun of the
 * project.
 */
export type PlatformDependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly sql: Sql;
  /** Separate connections for chat steps, if configured. */
  readonly stepSql?: Sql;
  /** Connections to the read replica, if there is one. */
  readonly replicaSql?: Sql;
  /** For reads of lists that may be some seconds old. */
  readonly replica: ReplicaReads;
  /** Called when a query fails because the database is unreachable. */
  readonly outage: OutageWatch;
  /** Whether nodes of earlier releases run, which do not know a novelty. */
  readonly olderNodes: OlderNodes;
  /** Writes that wait until the database is back. */
  readonly lateWrites: LateWrites;
  /** Limits how often a caller may do something. */
  readonly rateLimits: RateLimits;
  /** Absent if traces are not exported. */
  readonly traces?: Traces;
  /** The clock of waits: tests use a clock that they move. */
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Bounds the requests that keep connections of the database busy. */
  readonly databasePlaces: DatabasePlaces;
  /** The other processes of this node. Absent if there is only one. */
  readonly siblings?: Siblings;
  /** The ports that the process listens on, as soon as it listens: `app` is the builder's. */
  readonly ports: { main?: number; app?: number };
  /** Whether the next request of each client should go to another node. */
  readonly isLeaving: () => boolean;
};
