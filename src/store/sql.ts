import postgres from "postgres";

/** The connection pool that every store function takes first. */
export type Sql = postgres.Sql;

/** A pool, or a transaction of one. */
export type Statements = postgres.ISql;

/** postgres.js would wait up to 20 s before it tries a lost database again: chats would stand still long after it is back. */
const longestRetrySeconds = 0.5;

/**
 * Opens a pool (lazily connected). Works through a pooler in transaction mode: no session state is used.
 * A Unix socket is named as PostgreSQL's own library does: `?host=/folder`.
 */
export function connect(url: string, options: { connections: number; idleSeconds?: number }): Sql {
  const socket = /[?&]host=(\/[^&]*)/.exec(url)?.[1];
  return postgres(url.replace(/(?<=[?&])host=\/[^&]*&?/, ""), {
    ...(socket === undefined ? {} : { host: decodeURIComponent(socket) }),
    max: options.connections,
    idle_timeout: options.idleSeconds ?? 0,
    connect_timeout: 10,
    backoff: (attempt) => Math.min(2 ** attempt / 100, longestRetrySeconds),
    onnotice: () => {},
    connection: { application_name: "parley", TimeZone: "UTC" },
  });
}
