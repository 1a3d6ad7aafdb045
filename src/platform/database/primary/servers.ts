import type { Socket } from "node:net";
import { limits } from "../../../limits/index.ts";
import { backgroundClock } from "../../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../concurrency/poll-loop.ts";
import { withNotes } from "../../concurrency/within.ts";
import type { ServerAddress } from "./address.ts";
import { createOpenProbes } from "./open-probes.ts";
import { type AskedServer, isNoted, isSame } from "./primary-judgement.ts";
import { askAndJudge, type Findings, inspectServers, noPrimaryError } from "./primary-search.ts";
import { failedSocket, openTo } from "./server-socket.ts";
import { watchSilence } from "./silence.ts";
import { createWriteWatch, type WatchRole } from "./write-watch.ts";

/** The interval at which a server is asked whether it accepts writes, and the longest accepted silence. */
export type ProbeTimes = { readonly watchMs: number; readonly silenceMs: number };

export const defaultTimes: ProbeTimes = { watchMs: 2_000, silenceMs: limits.database.silenceMs };

/** `note` is called every `everyMs` milliseconds while the servers are silent, with the duration of the silence. */
export type SilenceNotes = { readonly everyMs: number; readonly note: (silentMs: number) => void };

/**
 * The servers of one database. Opens sockets to the server that accepts writes, and closes them when the server no
 * longer accepts writes.
 */
export type Servers = {
  /**
   * Called by the driver for each connection. Never rejects: if no server can be reached, the returned socket fails.
   */
  openSocket(): Promise<Socket>;
  /** Stops watching. */
  close(): void;
};

/**
 * The driver supports several hosts, but while no host accepts writes, it retries continuously without a pause and
 * never rejects (postgres.js 3.4.9). This code therefore finds and watches the primary itself. Without the watch, a
 * server that has become a standby, or whose machine has vanished, would keep its connections for many minutes. A
 * server that still accepts writes after the promotion of another server would accept answers that are lost.
 *
 *     no server ─ a connection is requested: all servers are queried ──────→ in use, or an error with the reason
 *     in use ─ a connection ends ──────────────────────────────────────────→ in use; the next connection queries all servers
 *     in use ─ the server accepts no writes, or is silent ─────────────────→ abandoned: its connections are closed
 *     in use ─ another server is the primary, or two servers may be ───────→ abandoned
 */
export function createServers(
  servers: readonly ServerAddress[],
  url: string,
  { watchMs, silenceMs }: ProbeTimes = defaultTimes,
  {
    watch: role,
    isBrief = false,
    silenceNotes,
  }: { readonly watch?: WatchRole; readonly isBrief?: boolean; readonly silenceNotes?: SilenceNotes } = {},
): Servers {
  const sockets = new Set<Socket>();
  const silence = isBrief ? watchSilence({ everyMs: watchMs, silenceMs }) : undefined;
  const leads = role && "leads" in role ? role.leads : undefined;
  const follows = role && "follows" in role ? role.follows : undefined;
  const { memory } = leads ?? follows ?? createWriteWatch();
  const tools = { url, silenceMs, memory, isNoting: leads !== undefined };
  const { probes, end: endProbes } = createOpenProbes(servers, tools);
  let primary: Promise<AskedServer> | undefined;
  /** The server in use, and its last answer. */
  let used: AskedServer | undefined;
  let hasNoted = false;
  /**
   * Counts how often the server in use was abandoned. A search that started earlier may still return the abandoned
   * server.
   */
  let departures = 0;
  let watch: PollLoop | undefined;

  const noting = (asking: Promise<Findings>): Promise<Findings> =>
    silenceNotes ? withNotes(silenceNotes.everyMs, asking, silenceNotes.note) : asking;
  const search = async (): Promise<AskedServer> => {
    const findings = await noting(inspectServers(servers, { ...tools, used: used?.server }));
    leads?.report(findings);
    const found = findings.asked.find(({ server }) => server === findings.judgement.primary);
    if (!found) throw noPrimaryError(findings);
    return found;
  };
  /** Returns the primary. The result is reused until a connection ends or the server is abandoned. */
  const findPrimary = (): Promise<AskedServer> => {
    for (const socket of sockets) {
      if (!socket.destroyed) continue;
      sockets.delete(socket);
      primary = undefined;
    }
    if (primary) return primary;
    const found = search();
    primary = found;
    found.catch(() => {
      if (primary === found) primary = undefined;
    });
    return found;
  };
  /** Connects to the primary. A server that was abandoned in the meantime is skipped. */
  const connectToPrimary = async (): Promise<{ found: AskedServer; socket: Socket }> => {
    for (;;) {
      const before = departures;
      const found = await findPrimary();
      const socket = await openTo(found.server, silenceMs);
      if (before === departures) return { found, socket };
      socket.destroy();
    }
  };
  const dropAll = (): void => {
    departures++;
    primary = undefined;
    used = undefined;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  /**
   * Closes connections to servers other than the primary. Two servers that hide their identity may be the same server,
   * so their connections stay open.
   */
  const leaveFor = ({ server, state }: AskedServer): void => {
    if (used === undefined || isSame(used.server, server) || state.kind !== "writer" || !state.identity) return;
    const { server: before } = used;
    const found = primary;
    dropAll();
    primary = found;
    leads?.left(before);
  };
  const look = async (): Promise<void> => {
    if (used === undefined) return;
    const isConfirmed = leads !== undefined && performance.now() - leads.confirmedAt < watchMs;
    if (servers.length === 1 && isConfirmed && hasNoted) return;
    const [before, departuresBefore] = [used, departures];
    const findings = await noting(askAndJudge(probes, { ...tools, used: before.server }, before));
    // The server was abandoned in the meantime, or another server is in use.
    if (departures !== departuresBefore || !isSame(used.server, before.server)) return;
    leads?.report(findings);
    const now = findings.asked.find(({ server }) => isSame(server, before.server)) ?? before;
    hasNoted = isNoted(now, { memory, judgement: findings.judgement });
    if (!isToLeave(now, findings)) {
      if (now.state.kind === "writer") used = now;
      return;
    }
    dropAll();
    leads?.left(now.server);
  };
  follows?.onLeft((server) => {
    if (used === undefined || isSame(used.server, server)) dropAll();
    else {
      departures++;
      primary = undefined;
    }
  });
  return {
    async openSocket() {
      try {
        const { found, socket } = await connectToPrimary();
        leaveFor(found);
        sockets.add(socket);
        silence?.add(socket);
        if (used === undefined || !isSame(used.server, found.server)) hasNoted = false;
        used = found;
        if (!follows)
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
      endProbes();
    },
  };
}

/**
 * Whether the connections to a server must be closed. A server that fails closes its connections, but a silent server
 * does not.
 */
function isToLeave({ server, state }: AskedServer, { judgement }: Findings): boolean {
  return state.kind !== "writer" || judgement.refused.some((one) => isSame(one.server, server));
}
