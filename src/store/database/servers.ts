import { connect as connectSocket, Socket } from "node:net";
import postgres from "postgres";
import { backgroundClock } from "../../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../concurrency/poll-loop.ts";
import { limits } from "../../limits.ts";
import type { ServerAddress } from "./address.ts";
import { outageOf } from "./outage.ts";
import { watchSilence } from "./silence.ts";

/** When one of several servers has said that it takes no writes, the others have this long to say that they do. */
const laggardMs = 1_000;

/** How often a server is asked whether it takes writes, and how long it may say nothing. */
export type ProbeTimes = { readonly watchMs: number; readonly silenceMs: number };

export const defaultTimes: ProbeTimes = { watchMs: 2_000, silenceMs: limits.database.silenceMs };

/** The servers of one database: opens sockets to the one that takes writes, and closes them when it no longer does. */
export type Servers = {
  /** What the driver asks for each connection. Never rejects: where nothing can be reached the socket fails. */
  openSocket(): Promise<Socket>;
  /** Stops watching. */
  close(): void;
};

/** Notifies all pools when the one that watches the database's server finds that it no longer takes writes. */
export type WriteWatch = {
  /** A statement has shown that the server takes writes: it need not be asked for a while. */
  confirm(): void;
  /** When that was. */
  readonly confirmedAt: number;
  left(server: ServerAddress): void;
  onLeft(listener: (server: ServerAddress) => void): void;
};

export function createWriteWatch(): WriteWatch {
  const listeners: ((server: ServerAddress) => void)[] = [];
  let confirmedAt = Number.NEGATIVE_INFINITY;
  return {
    confirm() {
      confirmedAt = performance.now();
    },
    get confirmedAt() {
      return confirmedAt;
    },
    left(server) {
      for (const listener of listeners) listener(server);
    },
    onLeft: (listener) => void listeners.push(listener),
  };
}

/** One pool of a node watches, so that the others need no connection for it. */
export type WatchRole = { readonly leads: WriteWatch } | { readonly follows: WriteWatch };

/**
 * The driver can be given several hosts, but while none of them takes writes it asks them over and over without a pause, and
 * never tells whoever waits (postgres.js 3.4.9). So we look for the server ourselves, and watch it: a server that has become
 * a standby, or whose machine is gone without a word, would keep its connections for many minutes.
 */
export function createServers(
  servers: readonly ServerAddress[],
  url: string,
  { watchMs, silenceMs }: ProbeTimes = defaultTimes,
  { watch: role, isBrief = false }: { readonly watch?: WatchRole; readonly isBrief?: boolean } = {},
): Servers {
  const sockets = new Set<Socket>();
  const silence = isBrief ? watchSilence({ everyMs: watchMs, silenceMs }) : undefined;
  let primary: Promise<ServerAddress> | undefined;
  /** The server that connections lead to. */
  let used: ServerAddress | undefined;
  let watched: { readonly server: ServerAddress; readonly probe: Probe } | undefined;
  let watch: PollLoop | undefined;

  /** The server that takes writes, found once and kept until a connection ends. */
  const findPrimary = (): Promise<ServerAddress> => {
    for (const socket of sockets) {
      if (!socket.destroyed) continue;
      sockets.delete(socket);
      primary = undefined;
    }
    if (primary) return primary;
    const search = searchPrimary(servers, { url, silenceMs });
    primary = search;
    search.catch(() => {
      if (primary === search) primary = undefined;
    });
    return search;
  };
  const dropAll = (): void => {
    if (used && role && "leads" in role) role.leads.left(used);
    primary = undefined;
    used = undefined;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const look = async (): Promise<void> => {
    if (used === undefined) return;
    if (role && "leads" in role && performance.now() - role.leads.confirmedAt < watchMs) return;
    if (watched?.server !== used) {
      watched?.probe.end();
      watched = { server: used, probe: openProbe(used, { url, silenceMs }) };
    }
    const { probe } = watched;
    const verdict = await probe.look();
    if (verdict.kind === "failed") {
      probe.end();
      watched = undefined;
    }
    // A server that refuses at once has closed its connections; those of a silent one have to be closed here.
    if (verdict.kind === "readOnly" || (verdict.kind === "failed" && verdict.isSilent)) dropAll();
  };
  const isFollowing = role !== undefined && "follows" in role;
  if (isFollowing) {
    role.follows.onLeft(({ host, port }) => {
      if (used?.host === host && used.port === port) dropAll();
    });
  }
  return {
    async openSocket() {
      try {
        const server = await findPrimary();
        const socket = await openTo(server, silenceMs);
        sockets.add(socket);
        silence?.add(socket);
        used = server;
        if (!isFollowing)
          watch ??= startPollLoop({
            everyMs: watchMs,
            startsWaiting: true,
            run: look,
            onFailure: () => {},
            clock: backgroundClock,
          });
        return socket;
      } catch (error) {
        primary = undefined;
        return failedSocket(error);
      }
    },
    close() {
      silence?.close();
      void watch?.stop();
      watched?.probe.end();
    },
  };
}

/** No server of the database takes writes at the moment. */
class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
  readonly code = "NO_PRIMARY";
}

async function searchPrimary(servers: readonly ServerAddress[], asking: Asking): Promise<ServerAddress> {
  const causes = servers.map((): unknown => new ConnectionError("is silent"));
  const enough = Promise.withResolvers<undefined>();
  let timer: Timer | undefined;
  const searches = servers.map(async (server, index) => {
    try {
      return await requirePrimary(server, asking);
    } catch (error) {
      causes[index] = error;
      // A machine that is gone says nothing for long; meanwhile the one that has answered may be promoted: it is asked again.
      timer ??= setTimeout(enough.resolve, laggardMs, undefined).unref();
      throw error;
    }
  });
  // The first to say yes is taken at once.
  const found = await Promise.race([Promise.any(searches).catch(() => undefined), enough.promise]);
  clearTimeout(timer);
  if (found) return found;
  // A wrong password or an unknown database is told as it is, and so is what became of the only server.
  const told = causes.find((cause) => {
    const outage = outageOf(cause);
    return outage === undefined || outage.isOfSettings;
  });
  if (told !== undefined || servers.length === 1) throw told ?? causes[0];
  const reasons = causes.map((cause, index) => {
    const { host, port } = servers[index] ?? { host: "?", port: 0 };
    return `${host}:${port} ${cause instanceof Error ? cause.message : String(cause)}`;
  });
  throw new NoPrimaryError(`no server takes writes (${reasons.join("; ")})`);
}

async function requirePrimary(server: ServerAddress, asking: Asking): Promise<ServerAddress> {
  const probe = openProbe(server, asking);
  try {
    const verdict = await probe.look();
    if (verdict.kind === "failed") throw verdict.error;
    if (verdict.kind === "readOnly") throw new NoPrimaryError("is read-only");
    return server;
  } finally {
    probe.end();
  }
}

type Verdict =
  | { readonly kind: "takesWrites" | "readOnly" }
  | { readonly kind: "failed"; readonly error: unknown; readonly isSilent: boolean };

/** One connection to one server, for one question. After a failure it is of no more use. */
type Probe = { look(): Promise<Verdict>; end(): void };

type Asking = { readonly url: string; readonly silenceMs: number };

function openProbe(server: ServerAddress, { url, silenceMs }: Asking): Probe {
  let isOpened = false;
  let isSilent = false;
  let socket: Socket | undefined;
  const options = {
    max: 1,
    connect_timeout: silenceMs / 1_000,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "parley" },
    // The driver would connect again and again where a connection is closed before it is ready.
    async socket() {
      if (isOpened) return failedSocket(new ConnectionError("closed the connection"));
      isOpened = true;
      socket = await openTo(server, silenceMs).catch(failedSocket);
      return socket;
    },
  };
  const sql = postgres(url, options);
  return {
    async look() {
      const silence = Promise.withResolvers<Verdict>();
      const error = new ConnectionError("is silent");
      const timer = setTimeout(() => {
        isSilent = true;
        silence.resolve({ kind: "failed", error, isSilent });
      }, silenceMs);
      try {
        return await Promise.race([ask(sql), silence.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    end() {
      void sql.end({ timeout: 0 });
      // A silent server would not answer the end of the connection either.
      if (isSilent) socket?.destroy();
    },
  };
}

async function ask(sql: postgres.Sql): Promise<Verdict> {
  try {
    const [row] = await sql<[{ isReadOnly: boolean }]>`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`;
    return { kind: row.isReadOnly ? "readOnly" : "takesWrites" };
  } catch (error) {
    return { kind: "failed", error, isSilent: false };
  }
}

/** A connection that failed. */
class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code = "CONNECTION_CLOSED";
}

/** Resolves once the socket is connected. */
export function openTo({ host, port }: ServerAddress, silenceMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new ConnectionError("does not answer"));
    }, silenceMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      // The driver names the host to the server's certificate.
      resolve(Object.assign(socket, { host, port }));
    });
  });
}

/** The driver loses a connection for ever whose socket could not be made: it gets one that fails as soon as it listens. */
export function failedSocket(cause: unknown): Socket {
  const socket = new Socket();
  const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
  setImmediate(() => socket.destroy(error));
  return socket;
}
