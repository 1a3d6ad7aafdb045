import postgres from "postgres";
import { readAddress } from "./address.ts";
import { createServers, type Patience } from "./servers.ts";

/** The connection pool that every store function takes first. */
export type Sql = postgres.Sql;

/** A pool, or a transaction of one. */
export type Statements = postgres.ISql;

export type PoolOptions = {
  readonly connections: number;
  readonly idleSeconds?: number;
  /** Called whenever a connection has ended. */
  readonly onClose?: () => void;
  /** With a server that says nothing. */
  readonly patience?: Patience;
};

/** postgres.js would wait up to 20 s before it tries a lost database again: chats would stand still long after it is back. */
const longestRetrySeconds = 0.5;

/**
 * Opens a pool (lazily connected). Works through a pooler in transaction mode: no session state is used.
 * A Unix socket is named as PostgreSQL's own library does: `?host=/folder`. Of several servers it uses the one that takes
 * writes, also after another one took over.
 */
export function connect(url: string, options: PoolOptions): Sql {
  const settings = {
    max: options.connections,
    idle_timeout: options.idleSeconds ?? 0,
    connect_timeout: 10,
    backoff: (attempt: number) => Math.min(2 ** attempt / 100, longestRetrySeconds),
    onnotice: () => {},
    connection: { application_name: "parley", TimeZone: "UTC" },
    ...(options.onClose && { onclose: options.onClose }),
  };
  const address = readAddress(url);
  if (address.kind === "socket") return postgres(address.url, { ...settings, host: address.folder });
  const servers = createServers(address.servers, address.url, options.patience);
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
