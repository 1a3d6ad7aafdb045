import { type Holding, startHolding } from "../channels/holding/holding.ts";
import { outboundOf } from "../channels/holding/outbound-of.ts";
import { type DueSteps, startDueSteps } from "../chat/due/due-steps.ts";
import type { Threads } from "../chat/threads/threads.ts";
import { type Config, StartError } from "../config.ts";
import { limits } from "../limits/index.ts";
import { builderPlace } from "../management/access/builder-place.ts";
import { startNoteWriter } from "../management/insight/insight-notes.ts";
import { createHttpMetrics, type HttpMetrics } from "../management/operations/metrics.ts";
import type { WriteWatch } from "../platform/database/primary/write-watch.ts";
import type { Sql } from "../platform/database/sql.ts";
import type { Traces } from "../platform/observing/exporter.ts";
import type { Siblings } from "../platform/processes/collector.ts";
import { attempt, type PortSetting } from "../platform/processes/port.ts";
import { refuseConnections } from "../platform/processes/refuse-connections.ts";
import type { Share } from "../platform/processes/shares.ts";
import { endHousekeeping } from "../platform/queue/end-housekeeping.ts";
import type { Queue } from "../platform/queue/queue.sql.ts";
import { addDebts } from "../platform/rate-limits/rate-limits.sql.ts";
import { startSharing } from "../platform/rate-limits/sharing.ts";
import { createApp } from "./app.ts";
import { createDependencies, type Dependencies } from "./dependencies.ts";
import type { Board, BoardParts } from "./job-board.ts";
import { openPool, partConnections, type Running } from "./node.ts";

/** How long a stopping node waits for requests on connections that it has just accepted. */
const acceptMs = 100;

/**
 * The size of a body above which Bun itself sends an empty 413 response. Below this size, Parley sends the response and
 * counts it per route.
 */
const refusedUnreadBytes = (limits.uploads.fileMegabytes + 1) * 1024 * 1024;

export type ServingParts = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly share: Share;
  readonly queue: Queue;
  readonly watch: WriteWatch;
  /** The general pool. If absent, a pool is opened. */
  readonly sql?: Sql;
  readonly onJobs: () => void;
  /**
   * Notifies the other processes of the node that a connection to a messenger has work. Absent if there are no other
   * processes.
   */
  readonly onRing?: (connectionId: string) => void;
  /** The other processes of the node. */
  readonly siblings?: Siblings;
  readonly threads: Threads;
  /** Replaces dependencies of requests and of steps without a request in tests. */
  readonly replaced?: ((made: Dependencies) => Dependencies) | undefined;
};

/** The dependencies of requests, the loop of due steps, and the connections to messengers. */
export type Serving = { readonly deps: Dependencies; readonly dueSteps: DueSteps; readonly holding: Holding };

/** Opens everything that requests require, in a serving process or in the only process of a node. */
export async function openServing(running: Running, parts: ServingParts): Promise<Serving> {
  const { config, databaseUrl: url, share, queue, siblings, threads } = parts;
  const { log, stop, ends } = running;
  const { general, steps } = partConnections(share.connections);
  const watch = { follows: parts.watch };
  const sql = parts.sql ?? openPool(running, { url, connections: general, watch });
  const stepSql = steps > 0 ? openPool(running, { url, connections: steps, watch, isBrief: true }) : sql;
  const readUrl = config.DATABASE_READ_URL;
  const replicaSql = readUrl && openPool(running, { url: readUrl, connections: general, isReplica: true });
  if (!config.INLINE_STEPS) await threads.ready();
  const traces = await openTraces(running, config, siblings?.name);
  let wakeIn = (_ms: number): void => {};
  let ring = (_connectionId: string): void => {};
  let stepped = (_contactIds: readonly string[]): void => {};
  const made = createDependencies({
    config,
    log,
    sql,
    stepSql,
    ...(replicaSql && { replicaSql }),
    threads,
    board: lazyBoard({ sql, queue, retries: config.EVENT_RETRY_SECONDS }),
    share,
    ...(siblings && { siblings }),
    ...(traces && { traces }),
    onJobs: parts.onJobs,
    onTimer: (ms) => wakeIn(ms),
    onInbound: (connectionId) => ring(connectionId),
    onChannelSteps: (contactIds) => stepped(contactIds),
    isLeaving: () => stop.state !== "serving",
  });
  const deps = parts.replaced?.(made) ?? made;
  if (builderPlace(config).isShared) await deps.pageWords.open();
  const sharing = startSharing({
    counted: deps.rateLimits.counted,
    addDebts: (added) => addDebts(sql, added),
    onFailure: deps.outage.failed,
  });
  const noteWriter = startNoteWriter(sql, deps.insightNotes, { onFailure: deps.outage.failed });
  ends.defer(() => {
    const { answersElsewhere, lateWrites } = deps;
    const stops = [sharing, answersElsewhere, lateWrites, noteWriter].map((one) => one.stop());
    return Promise.race([endHousekeeping(log, stops), stop.forced]);
  });
  const dueSteps = startDueSteps(deps);
  wakeIn = dueSteps.wakeIn;
  ends.defer(() => Promise.race([dueSteps.stop(), stop.forced]));
  const outbound = outboundOf(deps);
  const holding = startHolding(deps, {
    outbound,
    leaseSql: stepSql,
    ...(parts.onRing && { ringOthers: parts.onRing }),
  });
  ring = holding.ring;
  stepped = holding.stepped;
  ends.defer(() => Promise.race([holding.stop(), stop.forced]));
  return { deps, dueSteps, holding };
}

/** Returns a function that loads the job board on first use. */
function lazyBoard(over: BoardParts): () => Promise<Board> {
  let board: Promise<Board> | undefined;
  return () => (board ??= import("./job-board.ts").then(({ createBoard }) => createBoard(over)));
}

/**
 * Opens the exporter of traces, whose module is loaded only if the settings contain an endpoint. Returns undefined
 * without an endpoint.
 */
async function openTraces(
  { log, stop, ends }: Running,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...config }: Config,
  name: string | undefined,
): Promise<Traces | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTraces } = await import("../platform/observing/exporter.ts");
  const traces = createTraces(
    { ...config, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    { log, ...(name !== undefined && { process: name }) },
  );
  ends.defer(() => Promise.race([traces.stop(), stop.forced]));
  return traces;
}

export type Listening = {
  readonly port: number;
  /** The port of the builder. Undefined if the builder has no separate port. */
  readonly appPort: number | undefined;
  /** Accepts no new requests and waits for running requests, up to a time limit. */
  drain(): Promise<void>;
};

export type ListenOptions = {
  readonly port: number;
  /** The builder's port that the supervisor reserved. If absent and no other process listens, a port is chosen. */
  readonly appPort?: number | undefined;
  /** Whether other processes of the node listen on the same ports. */
  readonly isShared: boolean;
  readonly metrics?: HttpMetrics;
};

/** Listens on the configured ports, alone or together with other processes. */
export function listen(deps: Dependencies, options: ListenOptions): Listening {
  const { port, isShared, metrics = createHttpMetrics() } = options;
  const main = serveOn(deps, { port, setting: "PORT", isShared, app: createApp(deps, { metrics }) });
  const app = listenForApp(deps, { ...options, metrics });
  const servers = [main, ...(app ? [app] : [])];
  deps.ports.main = main.port ?? port;
  if (app?.port !== undefined) deps.ports.app = app.port;
  return {
    port: deps.ports.main,
    appPort: app?.port,
    async drain() {
      // Requests on connections that were already accepted are read and answered before the listener closes.
      const areRefused = servers.map((server) => refuseConnections(server.port ?? port));
      if (areRefused.includes(true)) await Bun.sleep(acceptMs);
      await Promise.all([deps.draftWatch.close(), deps.sessionReaders.close()]);
      const timeout = setTimeout(() => {
        for (const server of servers) void server.stop(true);
      }, limits.process.drainMs);
      await Promise.all(servers.map((server) => server.stop(false)));
      clearTimeout(timeout);
    },
  };
}

/**
 * Starts the builder's listener, if it has a separate port. If its port was not configured and is in use, a free port
 * is used.
 */
function listenForApp(
  deps: Dependencies,
  { port, appPort, isShared, metrics }: ListenOptions & { metrics: HttpMetrics },
) {
  const place = builderPlace({ ...deps.config, PORT: port }).port;
  if (!place || (isShared && appPort === undefined)) return undefined;
  const app = createApp(deps, { metrics, isAppListener: true });
  const serve = (port: number) => serveOn(deps, { port, setting: "APP_PORT", isShared, app });
  if (isShared || place.isNamed || place.number === 0) return serve(appPort ?? place.number);
  try {
    return serve(place.number);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return serve(0);
  }
}

type Served = {
  readonly port: number;
  readonly setting: PortSetting;
  readonly isShared: boolean;
  readonly app: ReturnType<typeof createApp>;
};

function serveOn(deps: Dependencies, { port, setting, isShared, app }: Served) {
  const hostname = deps.config.HOST;
  const server = attempt({ hostname, port, setting }, () =>
    Bun.serve({
      hostname,
      port,
      reusePort: isShared,
      idleTimeout: limits.process.idleSeconds,
      maxRequestBodySize: refusedUnreadBytes,
      routes: app.stepRoutes,
      fetch: (request) => app.fetch(request),
    }),
  );
  // Elysia's own `listen` would set this property, which handlers use to read the client's address.
  app.server = server;
  return server;
}
