import postgres from "postgres";
import { fromUuid, toUuid } from "../ids.ts";
import { readAddress } from "./primary/address.ts";
import { createReplicaServers } from "./primary/replica-servers.ts";
import { createServers, defaultTimes, type ProbeTimes, type SilenceNotes } from "./primary/servers.ts";
import type { WatchRole } from "./primary/write-watch.ts";

/** The pool that every store function takes first: ids in, rows with ids and camel-case names out. */
export type Sql = postgres.Sql;

/** A pool, or a transaction of one. */
export type Statements = postgres.ISql;

/** The row of a statement that finds or writes at most one. */
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
  /** How often a server is probed, and how long it may be silent. */
  readonly probeTimes?: ProbeTimes;
  /** Called while the server is silent. */
  readonly silenceNotes?: SilenceNotes;
  /** Absent: it watches only for itself. */
  readonly watch?: WatchRole;
  /** Every statement takes moments: a connection that is silent as long as no server may be is closed. */
  readonly isBrief?: boolean;
  /** It only reads, on any server that can be reached: whether that takes writes is not asked. */
  readonly isReplica?: boolean;
  /** Without `rowMapping`, as pg-boss expects. */
  readonly isRaw?: boolean;
};

/**
 * The form of rows on our side: ids instead of uuids, also in lists, and columns in camel case. The content of JSON
 * stays as it is.
 */
export const rowMapping = {
  types: { uuid: { to: 2950, from: [2950], serialize: toUuid, parse: fromUuid } },
  transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
};

/** The column of a field: `public_id` of `publicId`. The driver maps no names that stand alone in a statement. */
export const columnName = postgres.fromCamel;

/** postgres.js would wait up to 20 s before it reconnects: chats would wait long after the database is back. */
const longestRetrySeconds = 0.5;

const shortestConnectSeconds = 10;

/**
 * Opens a pool (lazily connected). Works through a pooler in transaction mode: no session state is used. A Unix socket
 * is named as PostgreSQL's own library does: `?host=/folder`. Of several servers it uses the one that takes writes,
 * even after another took over.
 */
export function connect(url: string, options: PoolOptions): Sql {
  const settings = {
    max: options.connections,
    idle_timeout: options.idleSeconds ?? 0,
    // A connection that goes silent keeps the statement that it has, and no other that waits behind it. Brief pools
    // close such a connection.
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
