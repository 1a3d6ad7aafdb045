import { version } from "../../package.json";
import { createAnonymousLane } from "../chat/threads/turns.ts";
import { type Config, drainMs, readConfig, StartError } from "../config.ts";
import { isPublicAddress, readAllowedHosts } from "../core/flow/outgoing-rules.ts";
import { createMailer, type Mailer } from "../effects/mail/email.ts";
import { createWorkspaceMailer } from "../effects/mail/workspace-mail.ts";
import { limits } from "../limits/index.ts";
import { builderAddress, builderPlace, localAddress } from "../management/access/builder-place.ts";
import { makeSignInLink } from "../management/access/sign-ins.ts";
import { findSandboxedBots } from "../management/bots/sandboxed-bots.ts";
import { createHttpMetrics, registerMemory, registerPlaces } from "../management/operations/metrics.ts";
import { createArchiveMetrics } from "../platform/archive/metrics.ts";
import { watchArchive } from "../platform/archive/watch.ts";
import { createDatabaseMetrics } from "../platform/database/database-metrics.ts";
import { createOutageWatch } from "../platform/database/outages/outage-watch.ts";
import { memoryOf, snapshotOf } from "../platform/database/primary/primary-judgement.ts";
import { createWriteWatch } from "../platform/database/primary/write-watch.ts";
import { createDiskMetrics } from "../platform/embedded/metrics.ts";
import { tokenFile } from "../platform/embedded/private-file.ts";
import { createLog, type Log } from "../platform/observing/log.ts";
import type { Registry } from "../platform/observing/prometheus.ts";
import { startGivingBack } from "../platform/processes/idle-memory.ts";
import { type Link, supervisorLink } from "../platform/processes/link.ts";
import { createSupervisorMetrics } from "../platform/processes/metrics.ts";
import { createProcessMetrics } from "../platform/processes/own-metrics.ts";
import { requireFreePorts, takeAppPort, takePort } from "../platform/processes/port.ts";
import { type Plan, planProcesses, thisMachine } from "../platform/processes/shares.ts";
import { stopRequest } from "../platform/processes/stop-request.ts";
import { supervise } from "../platform/processes/supervisor.ts";
import { openQueue } from "../platform/queue/queue.sql.ts";
import { checkStorage } from "../platform/storage/storage-check.ts";
import type { Dependencies, JobTools } from "./dependencies.ts";
import type { Jobs } from "./jobs.ts";
import { type Node, openNode, partConnections, type Running } from "./node.ts";
import { openThreads } from "./threads.ts";

/** Replaces parts of the service in tests. */
export type Replacements = {
  dependencies?(made: Dependencies): Dependencies;
  /** Replaces the tools for the supervisor's outgoing calls. */
  jobTools?(made: JobTools): JobTools;
  mailer?(made: Mailer): Mailer;
};

/**
 * Serves until the process is asked to stop, then finishes the running requests and stops all parts. Returns the exit
 * code, which is 0 after a complete drain. Throws a StartError if an operator must change a setting or the environment
 * before the start.
 *
 * A single process does all work itself. If there are several processes, this process is the supervisor: it runs the
 * parts that exist once per node, and starts this program again for each serving process.
 */
export async function serve(
  environment: Readonly<Record<string, string | undefined>>,
  replacements: Replacements = {},
): Promise<number> {
  const link = supervisorLink(environment);
  if (link) return await serveSupervised(link, replacements);
  const config = readConfig(environment);
  const plan = planProcesses(config, thisMachine());
  const log = createLog(config.LOG_LEVEL, plan.processes > 1 ? { process: "supervisor" } : {});
  const stop = stopRequest({ drainMs: drainMs(config), endMs: limits.process.endMs });
  void stop.forced.then(() =>
    log.warn("The process ended with unfinished work, which is repeated or left to other nodes"),
  );
  if (plan.note !== undefined) log.warn(plan.note);
  const start = plan.processes === 1 ? serveAlone : serveWithProcesses;
  {
    // Stops the started parts in reverse order, even if a later part fails to start.
    await using ends = new AsyncDisposableStack();
    ends.defer(stop.end);
    await start(config, plan, { log, stop, ends }, replacements);
  }
  // Evaluated last, because stopping a part may time out, which changes the exit code.
  return stop.exitCode();
}

async function serveAlone(given: Config, plan: Plan, running: Running, replacements: Replacements): Promise<void> {
  // Runs before the database is created or changed.
  requireFreePorts({ ...given, app: builderPlace(given).port });
  const { share } = plan;
  const own = partConnections(share.connections).general;
  const threads = openThreads(running, { config: given, share });
  const opening = openNode(given, running, { own, all: share.connections });
  const [node, { openServing, listen }] = await Promise.all([opening, import("./serving.ts"), import("./jobs.ts")]);
  let wakeJobs = (): void => {};
  const { dependencies: replaced } = replacements;
  const onJobs = (): void => wakeJobs();
  const { deps, dueSteps, holding } = await openServing(running, { ...node, share, threads, onJobs, replaced });
  const jobs = await startJobsOf(node, { ...deps, dueSteps, channels: holding }, plan, running, replacements);
  wakeJobs = jobs.wake;
  const metrics = createHttpMetrics({
    others: [
      ...jobs.metrics,
      ...metricsOf(deps),
      dueSteps.registry,
      ...nodeMetrics(node, running),
      createProcessMetrics(undefined),
    ],
  });
  const server = listen(deps, { port: node.config.PORT, isShared: false, metrics });
  await serveUntilStopped(node, running, server);
}

async function serveWithProcesses(
  given: Config,
  plan: Plan,
  running: Running,
  replacements: Replacements,
): Promise<void> {
  const { log, ends, stop } = running;
  const taken = await takePort(given);
  ends.defer(taken.release);
  const place = builderPlace(given).port;
  const app = place && (await takeAppPort(given, place));
  if (app) ends.defer(app.release);
  const opening = openNode(given, running, {
    own: plan.jobs.connections,
    all: plan.connections + plan.processes * boardConnections,
  });
  const [node, { createJobTools }] = await Promise.all([opening, import("./dependencies.ts"), import("./jobs.ts")]);
  const { config, databaseUrl, sql } = node;
  const { jobTools = (made) => made } = replacements;
  const tools = jobTools(createJobTools(config, plan.jobs.outgoingCalls));
  const outage = createOutageWatch(sql, log);
  let wakeDueSteps = (): void => {};
  let wakeChannels = (): void => {};
  const dueSteps = { wake: () => wakeDueSteps() };
  const channels = { wake: () => wakeChannels() };
  const parts = { config, sql, log, outage, dueSteps, channels, ...tools };
  const jobs = await startJobsOf(node, parts, plan, running, replacements);
  const anonymousPreviews = createAnonymousLane();
  const metrics = createSupervisorMetrics(() => processes.counts());
  const registries = [
    metrics,
    ...jobs.metrics,
    tools.outgoingMetrics.registry,
    tools.providers.metrics.registry,
    ...nodeMetrics(node, running),
    createProcessMetrics("supervisor"),
  ];
  registerMemory(metrics, "supervisor");
  registerPlaces(metrics, () => ({ anonymous_previews: anonymousPreviews.usage() }));
  const processes = supervise({
    count: plan.processes,
    order: (name) => ({
      kind: "serve",
      config,
      databaseUrl,
      share: plan.share,
      port: taken.port,
      ...(app && { appPort: app.port }),
      knownPrimaries: snapshotOf(node.watch.memory),
      name,
    }),
    answer: async (question) =>
      question === "metrics" ? await Promise.all(registries.map((one) => one.getMetricsAsJSON())) : [],
    onJobs: jobs.wake,
    onListening: () => void Promise.all([taken.release(), app?.release()]),
    anonymousPreviews,
    log,
  });
  ends.defer(processes.kill);
  wakeDueSteps = processes.wakeDueSteps;
  wakeChannels = processes.wakeChannels;
  node.watch.onLeft(processes.reportLostPrimary);
  const isForced = await Promise.race([processes.started, stop.forced.then(() => true)]);
  if (isForced) return;
  await serveUntilStopped(node, running, { port: taken.port, appPort: app?.port, ...processes });
}

/** Runs one of several serving processes. Its supervisor sends its settings and stops it. */
async function serveSupervised(link: Link, replacements: Replacements): Promise<number> {
  const order = await link.order;
  if (!order) return 0;
  const { config, databaseUrl, share, port, appPort, knownPrimaries, name } = order;
  const log = createLog(config.LOG_LEVEL, { process: name });
  const { stop } = link;
  await using ends = new AsyncDisposableStack();
  const running = { log, stop, ends };
  const watch = createWriteWatch({ memory: memoryOf(knownPrimaries) });
  link.onLeft(watch.left);
  try {
    const { anonymousPreviews, wakeJobs: onJobs } = link;
    const threads = openThreads(running, { config, share, anonymousPreviews });
    const opening = openQueue({ url: databaseUrl, log, isSecondary: true, watch: { follows: watch } });
    const [queue, { openServing, listen }] = await Promise.all([opening, import("./serving.ts")]);
    ends.defer(queue.stop);
    const siblings = link.siblings(name);
    const { deps, dueSteps, holding } = await openServing(running, {
      config,
      databaseUrl,
      share,
      queue,
      watch,
      onJobs,
      onRing: link.ring,
      siblings,
      threads,
      replaced: replacements.dependencies,
    });
    link.onDue(dueSteps.wake);
    link.onRing((connectionId) => (connectionId === undefined ? holding.wake() : holding.rung(connectionId)));
    // The port may already belong to the processes of the next supervisor.
    if (stop.state !== "serving") return 0;
    const metrics = createHttpMetrics({
      process: name,
      others: [...metricsOf(deps), dueSteps.registry, createProcessMetrics(name)],
    });
    link.answerWith((question) => (question === "metrics" ? metrics.own() : isReady(deps)));
    const server = listen(deps, { port, appPort, isShared: true, metrics });
    link.listening();
    startGivingBack();
    await stop.stopping;
    await server.drain();
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    await link.failed(error.message);
    return failed;
  }
}

/** Returns the metrics of a serving process, except those of its requests. */
function metricsOf(deps: Dependencies): Registry[] {
  const { outgoingMetrics, providers, stepWatch, sessionReaders, modelMetrics, replica, channelMetrics } = deps;
  return [
    ...[outgoingMetrics, providers.metrics, stepWatch, sessionReaders, modelMetrics, replica, channelMetrics].map(
      ({ registry }) => registry,
    ),
    createDatabaseMetrics(deps),
  ];
}

/**
 * Returns the metrics of the parts that exist once per node: the check of the database's servers and, for an embedded
 * database, its disk and its archive. Starts watching the archive.
 */
function nodeMetrics(node: Node, { ends, log }: Running): Registry[] {
  const { config, archiving, sql, databaseUrl, serverMetrics } = node;
  if (config.DATABASE_URL !== undefined) return [serverMetrics];
  const disk = createDiskMetrics(config.DATA_DIR);
  if (!archiving) return [serverMetrics, disk];
  const watch = watchArchive({ config, archiving, sql, url: databaseUrl, release: version, log });
  ends.defer(watch.stop);
  return [serverMetrics, disk, createArchiveMetrics(watch.figures)];
}

const failed = 1;

/** The number of connections for the job board, which is rarely used. */
const boardConnections = 2;

async function isReady(deps: Dependencies): Promise<boolean> {
  if (deps.isLeaving()) return false;
  return await deps.readiness.requireOwn().then(
    () => true,
    () => false,
  );
}

type JobParts = Pick<
  Dependencies,
  "config" | "sql" | "log" | "outage" | "storage" | "safeFetch" | "resolveTxt" | "secrets" | "providers" | "google"
> & { readonly dueSteps: { wake(): void }; readonly channels: { wake(): void } };

/** Starts the relay, the workers and the schedules, which run once per node. */
async function startJobsOf(
  { queue, watch }: Node,
  parts: JobParts,
  plan: Plan,
  { stop, ends, log }: Running,
  { mailer: replaced = (made) => made }: Replacements,
): Promise<Jobs> {
  const { config, storage, dueSteps, channels } = parts;
  if (config.S3_BUCKET !== undefined) warnOfStorage(storage, config, log);
  const mailer = replaced(createMailer({ url: config.SMTP_URL, from: config.SMTP_FROM }));
  const callsAtOnce = Math.min(plan.jobs.outgoingCalls, limits.events.callsAtOnce);
  const allowedHosts = readAllowedHosts(config.OUTGOING_ALLOW);
  const workspaceMailer = createWorkspaceMailer({ permits: isPublicAddress, allowedHosts });
  const { startJobs } = await import("./jobs.ts");
  const jobs = await startJobs(parts, { queue, mailer, workspaceMailer, watch, callsAtOnce, dueSteps, channels });
  ends.defer(() => Promise.race([jobs.stop(), stop.forced]));
  return jobs;
}

/** Reports a wrong setting at startup instead of at the first upload. Chats without files do not need the storage. */
function warnOfStorage(storage: Dependencies["storage"], { S3_ENDPOINT, S3_BUCKET }: Config, log: Log): void {
  const place = { bucket: S3_BUCKET, endpoint: S3_ENDPOINT ?? "Amazon's" };
  checkStorage(storage).catch((error: unknown) =>
    log.error("Uploads will fail: the file storage does not work", { ...place, error }),
  );
}

async function serveUntilStopped(
  node: Node,
  { log, stop }: Running,
  { port, appPort, leave, drain }: Ports & { leave?(): void; drain(): Promise<void> },
): Promise<void> {
  const { config } = node;
  if (isPublic(config)) await remindOperator(node, log);
  await announceReady(node, { port, appPort });
  startGivingBack();
  await stop.leaving;
  leave?.();
  if (stop.state === "leaving")
    log.info("Draining: all requests are served until load balancers have removed this node", { ms: drainMs(config) });
  await stop.stopping;
  log.info("Stopping: finishing the running requests");
  await Promise.race([drain(), stop.forced]);
}

/** Whether the settings indicate a public service. Users who try Parley on their own machine need no warnings. */
function isPublic({ PUBLIC_URL, CHAT_URL, TRUSTED_PROXIES, DATABASE_URL }: Config): boolean {
  return PUBLIC_URL !== undefined || CHAT_URL !== undefined || TRUSTED_PROXIES !== "" || DATABASE_URL !== undefined;
}

async function remindOperator(node: Node, log: Log): Promise<void> {
  await warnOfSharedHost(node, log);
  if (node.config.RATE_LIMITS === "off") return;
  log.info("Loopback and private addresses are not limited by address: list proxies in TRUSTED_PROXIES");
}

/**
 * Warns if chats and management share a host. If the builder shares the host too, names the bots whose pages are
 * sandboxed for this reason.
 */
async function warnOfSharedHost({ config, sql }: Node, log: Log): Promise<void> {
  if (!sharesOrigin(config)) return;
  log.warn("Authors' code in chats shares the origin of the job board: give CHAT_URL a separate host");
  if (!builderPlace(config).isShared) return;
  const { publicIds, count } = await findSandboxedBots(sql);
  if (count === 0) return;
  log.warn(
    "The builder shares this origin as well, so pages of bots with code are sandboxed: their chats do not continue after a reload, and do not recognise returning visitors",
    { count, bots: publicIds },
  );
}

/** Whether chat pages, which contain authors' content, are served under the host of the management API. */
function sharesOrigin({ PUBLIC_URL, CHAT_URL }: Config): boolean {
  if (CHAT_URL === undefined) return true;
  return PUBLIC_URL !== undefined && new URL(PUBLIC_URL).host === new URL(CHAT_URL).host;
}

type Ports = { readonly port: number; readonly appPort: number | undefined };

/**
 * Prints the last lines of a start: the addresses, the token if this start created a token, and how to sign in. All
 * lines are written together, so that no line of another process comes between them.
 */
async function announceReady(node: Node, { port, appPort }: Ports): Promise<void> {
  const { config, firstToken } = node;
  const base = config.PUBLIC_URL?.replace(/\/$/, "") ?? localAddress(config.HOST, port);
  const chats = config.CHAT_URL?.replace(/\/$/, "") ?? base;
  const builder = builderAddress(config, appPort);
  const addresses = [
    ...(builder === undefined ? [] : [`Builder: ${builder}`]),
    `Chat pages: ${chats}/<public id>`,
    `API: ${base}/api/v1`,
    `Documentation: ${base}/docs`,
    `Job board: ${base}/admin/queues`,
  ];
  const lines = [
    `Parley is ready. ${addresses.join("  ")}`,
    ...(firstToken === undefined
      ? []
      : [`First start: the administrator's API token is ${firstToken} (stored in ${tokenFile(config.DATA_DIR)})`]),
    ...(builder === undefined ? [] : [await signInWords(node, builder)]),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Describes how to sign in. The first start prints a link. */
async function signInWords({ sql, firstUserId }: Node, builder: string): Promise<string> {
  if (firstUserId === undefined) {
    return `Sign in to the builder: "parley sign-in" prints a link, and "parley sign-in --user <e-mail>" prints a link for another user.`;
  }
  const link = `${builder}/sign-in#${await makeSignInLink(sql, firstUserId)}`;
  return `Open ${link} to sign in to the builder. The link works once, within ${limits.signIns.linkMinutes} minutes.`;
}
