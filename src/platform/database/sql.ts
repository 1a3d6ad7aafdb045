import postgres from "postgres";
import { fromUuid, toUuid } from "../ids.ts";
import { readAddress } from "./primary/address.ts";
import { createReplicaServers } from "./primary/replica-servers.ts";
import { createServers, defaultTimes, type ProbeTimes, type SilenceNotes } from "./primary/servers.ts";
import type { WatchRole } from "./primary/write-watch.ts";

/**
 * The pool that every store function receives as its first argument. In parameters and rows, uuids are ids. Columns
 * have camel-case names.
 */
export type Sql = postgres.Sql;

/** A pool or a transaction. */
export type Statements = postgres.ISql;

/** Returns the row of a statement that finds or writes at most one row. Returns undefined if there is no row. */
export async function first<Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}

/** Returns the number of rows that a statement wrote. */
export async function countOf(written: PromiseLike<{ readonly count: number }>): Promise<number> {
  return (await written).count;
}

export type PoolOptions = {
  readonly connections: number;
  readonly idleSeconds?: number;
  /** Called whenever a connection has ended. */
  readonly onClose?: () => void;
  /** The interval at which a server is probed, and the longest accepted silence. */
  readonly probeTimes?: ProbeTimes;
  /** Called while the server is silent. */
  readonly silenceNotes?: SilenceNotes;
  /** If absent, the pool watches the servers without sharing its knowledge. */
  readonly watch?: WatchRole;
  /** Whether every statement of the pool is short. A connection that is silent for too long is then closed. */
  readonly isBrief?: boolean;
  /**
   * Whether the pool only reads. It may then connect to any reachable server, even if the server does not accept
   * writes.
   */
  readonly isReplica?: boolean;
  /** Whether the pool works without `rowMapping`, as pg-boss requires. */
  readonly isRaw?: boolean;
};

/**
 * The mapping of rows in this process: uuids become ids, also in lists, and column names become camel case. The content
 * of JSON is not changed.
 */
export const rowMapping = {
  types: { uuid: { to: 2950, from: [2950], serialize: toUuid, parse: fromUuid } },
  transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
};

/**
 * Returns the column of a field, for example `public_id` for `publicId`. The driver does not map single names in a
 * statement.
 */
export const columnName = postgres.fromCamel;

/**
 * By default, postgres.js waits up to 20 s before it reconnects. Chats would then wait long after the database is
 * available again.
 */
const longestRetrySeconds = 0.5;

const shortestConnectSeconds = 10;

/**
 * Opens a pool that connects lazily. The pool works through a pooler in transaction mode, because it uses no session
 * state. A Unix socket is specified as in libpq: `?host=/folder`. If there are several servers, the pool uses the
 * server that accepts writes, even after a failover.
 */
export function connect(url: string, options: PoolOptions): Sql {
  const settings = {
    max: options.connections,
    idle_timeout: options.idleSeconds ?? 0,
    // Statements are not pipelined, so that a silent connection delays only its current statement. Brief pools close
    // silent connections instead.
    ...(!options.isBrief && { max_pipeline: 0 }),
    connect_timeout: Math.max(shortestConnectSeconds, (options.probeTimes?.silenceMs ?? 0) / 1_000),
    backoff: (attempt: number) => Math.min(2 ** attempt / 100, longestRetrySeconds),
    onnotice: () => {},
    connection: { application_name: "parley", TimeZone: "UTC" },
    ...(options.onClose && { onclose: options.onClose }),
    ...(!options.isRaw && rowMapping),
  };
  const address = readAddress(url);
  const servers = options.isReplica
    ? createReplicaServers(address.servers, options.probeTimes ?? defaultTimes)
    : createServers(address.servers, address.url, options.probeTimes, options);
  const withServers = { ...settings, socket: servers.openSocket };
  const sql = postgres(address.url, withServers);
  const { end } = sql;
  return Object.assign(sql, {
    end(ending?: { timeout?: number }) {
      servers.close();
      return end(ending);
    },
  });
}
