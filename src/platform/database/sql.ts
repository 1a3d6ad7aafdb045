import postgres from "postgres";
import { fromUuid, toUuid } from "../ids.ts";
import { readAddress } from "./primary/address.ts";
import { createReplicaServers } from "./primary/replica-servers.ts";
import { createServers, defaultTimes, type ProbeTimes, type SilenceNotes } from "./primary/servers.ts";
import type { WatchRole } from "./primary/write-watch.ts";

/** The pool that is the first argument of every store function: ids in, rows with ids and camel-case names out. */
export type Sql = postgres.Sql;

/** A pool, or a transaction of one. */
export type Statements = postgres.ISql;

/** The row of a statement that finds or writes at most one row. */
export async function first<Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}

/** How many rows a statement wrote. */
export async function countOf(written: PromiseLike<{ readonly count: number }>): Promise<number> {
  return (await written).count;
}

export type PoolOptions = {
  readonly connections: number;
  readonly idleSeconds?: number;
  /** Called whenever a connection has ended. */
  readonly onClose?: () => void;
  /** The interval at which a server is probed, and its longest silence. */
  readonly probeTimes?: ProbeTimes;
  /** Called while the server is silent. */
  readonly silenceNotes?: SilenceNotes;
  /** Absent: the pool watches only for itself. */
  readonly watch?: WatchRole;
  /** Every statement is short: a connection that is silent as long as no server may be is closed. */
  readonly isBrief?: boolean;
  /** The pool only reads, on any server that can be reached: the server need not accept writes. */
  readonly isReplica?: boolean;
  /** Without `rowMapping`: the form that pg-boss expects. */
  readonly isRaw?: boolean;
};

/**
 * The form of rows on our side: ids instead of uuids, also in lists, and columns in camel case. The content of JSON is
 * not changed.
 */
export const rowMapping = {
  types: { uuid: { to: 2950, from: [2950], serialize: toUuid, parse: fromUuid } },
  transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
};

/** The column of a field: `public_id` of `publicId`. The driver does not map single names in a statement. */
export const columnName = postgres.fromCamel;

/** By default postgres.js waits up to 20 s before it reconnects: chats would wait long after the database is back. */
const longestRetrySeconds = 0.5;

const shortestConnectSeconds = 10;

/**
 * Opens a pool (lazily connected). Works through a pooler in transaction mode: no session state is used. A Unix socket
 * is named as in PostgreSQL's own library: `?host=/folder`. If there are several servers, the pool uses the one that
 * accepts writes, even after another server took over.
 */
export function connect(url: string, options: PoolOptions): Sql {
  const settings = {
    max: options.connections,
    idle_timeout: options.idleSeconds ?? 0,
    // A silent connection keeps its current statement, but no other statement waits behind it. Brief pools close such a
    // connection.
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
