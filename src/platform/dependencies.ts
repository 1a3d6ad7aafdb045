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
 * The dependencies that are available to all modules, such as settings, log, database and clock. This type does not
 * refer to domain concepts.
 */
export type PlatformDependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly sql: Sql;
  /** Separate connections for chat steps, if they are configured. */
  readonly stepSql?: Sql;
  /** Connections to the read replica, if a replica is configured. */
  readonly replicaSql?: Sql;
  /** Reads lists that may be some seconds old. */
  readonly replica: ReplicaReads;
  /** Receives errors of queries that fail because the database is unavailable. */
  readonly outage: OutageWatch;
  /** Reports whether a connected node of an earlier release lacks a feature. */
  readonly olderNodes: OlderNodes;
  /** Retries writes until the database is available again. */
  readonly lateWrites: LateWrites;
  /** Limits the rate of a caller's actions. */
  readonly rateLimits: RateLimits;
  /** Absent if traces are not exported. */
  readonly traces?: Traces;
  /** The clock for delays and timeouts. Tests pass a fake clock. */
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Limits the requests that keep database connections busy. */
  readonly databasePlaces: DatabasePlaces;
  /** The other processes of this node. Absent if the node has a single process. */
  readonly siblings?: Siblings;
  /** The ports on which the process listens, set once it listens. `app` is the port of the builder. */
  readonly ports: { main?: number; app?: number };
  /** Whether the next request of each client should go to another node. */
  readonly isLeaving: () => boolean;
};
