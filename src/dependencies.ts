import { type ClaimTimes, claimTimes } from "./chat/claims.ts";
import type { ClientHooks } from "./chat/client-hooks.ts";
import { createResentReplies } from "./compatibility/resent-replies.ts";
import { type Clock, systemClock } from "./concurrency/clock.ts";
import { createKeyedLimiter, type KeyedLimiter } from "./concurrency/limiter.ts";
import { createShares, type Shares } from "./concurrency/shares.ts";
import { createStatementGate } from "./concurrency/statement-gate.ts";
import type { Config } from "./config.ts";
import { createMailer, type Mailer } from "./effects/email.ts";
import { createHopsCodec, type HopsCodec } from "./effects/hops.ts";
import { openStorage } from "./effects/open-storage.ts";
import { createOutgoingMetrics, type OutgoingMetrics } from "./effects/outgoing-metrics.ts";
import { createSafeFetch, type SafeFetch } from "./effects/safe-fetch.ts";
import type { Storage } from "./effects/storage.ts";
import { AppError, type ErrorData } from "./errors.ts";
import type { Board } from "./jobs/board.ts";
import { limits } from "./limits.ts";
import type { Log } from "./log.ts";
import { readAllowedHosts, readModelServers } from "./outgoing-rules.ts";
import type { Siblings } from "./processes/collector.ts";
import type { Share } from "./processes/shares.ts";
import { createRateLimits, type RateLimits } from "./rate-limits/rate-limits.ts";
import { rulesOf } from "./rate-limits/rules.ts";
import { createSecrets, operatorKeys, type Secrets } from "./secrets.ts";
import { createReadiness, type Readiness } from "./services/health.ts";
import { createUploadTokens, type UploadTokens } from "./services/upload-tokens.ts";
import { type BotCache, createBotCache } from "./store/chat/bot-cache.ts";
import { createReads, type Reads } from "./store/chat/reads.ts";
import { createSaves, type Saves } from "./store/chat/saves.ts";
import { createDatabaseClock, createSessionCache, type SessionCache } from "./store/chat/session-cache.ts";
import { createOutageWatch, type OutageWatch } from "./store/database/outage-watch.ts";
import type { Sql } from "./store/database/sql.ts";
import type { Threads } from "./threads/threads.ts";
import type { Traces } from "./traces/exporter.ts";

/** The dependencies that services get. */
export type Dependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly sql: Sql;
  readonly threads: Threads;
  /** Told by whoever meets an outage of the database. */
  readonly outage: OutageWatch;
  readonly readiness: Readiness;
  readonly reads: Reads;
  readonly sessionCache: SessionCache;
  readonly botCache: BotCache;
  readonly saves: Saves;
  /** One step at a time for each session, within this process. */
  readonly stepLimiter: KeyedLimiter;
  /** How often somebody may do something. */
  readonly rateLimits: RateLimits;
  /** Absent where traces are sent nowhere. */
  readonly traces?: Traces;
  /** Where chats behave differently for existing clients. */
  readonly clientHooks: ClientHooks;
  /** The clock of waits: tests use one that they move. */
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Every outgoing call goes through this. */
  readonly safeFetch: SafeFetch;
  readonly outgoingMetrics: OutgoingMetrics;
  /** What calls of chats say of themselves: written by `safeFetch`, read where requests come in. */
  readonly hops: HopsCodec;
  /** Sends what requests wait for; mails of flows are jobs. */
  readonly mailer: Mailer;
  readonly claimTimes: ClaimTimes;
  /** Where visitors' files lie. */
  readonly storage: Storage;
  readonly uploads: UploadTokens;
  /** Each holds a connection, and a file on its way to the storage. */
  readonly uploadsUnderWay: Shares<"session" | "address" | "bot">;
  /** Forms with files are held in memory while they are read. */
  readonly formsWithFiles: Shares<"address" | "bot">;
  /** The other processes of this node. Absent where there is only one. */
  readonly siblings?: Siblings;
  /** Whether the next request of each client should go to another node. */
  readonly isLeaving: () => boolean;
  /** Absent in tests that have no job queue. */
  readonly board?: Board;
};

type Outside = Pick<Dependencies, "config" | "log" | "sql" | "threads"> & {
  readonly safeFetch?: SafeFetch;
  readonly claimTimes?: ClaimTimes;
  readonly storage?: Storage;
  readonly rateLimits?: RateLimits;
  readonly board?: Board;
  /** Absent: one process has all that the node may take. */
  readonly share?: Share;
  readonly siblings?: Siblings;
  readonly isLeaving?: () => boolean;
  /** Connections of their own for what every chat step asks; absent: those of the rest. */
  readonly stepSql?: Sql;
  /** Called when a step was saved that leaves jobs behind. */
  readonly onJobs?: () => void;
};

/** Made once by main.ts, or by a test. */
export function createDependencies({ onJobs, safeFetch, stepSql, share, ...outside }: Outside): Dependencies {
  const clock = createDatabaseClock();
  const gate = createStatementGate();
  const { siblings } = outside;
  const outage = createOutageWatch(outside.sql, outside.log);
  return {
    ...outside,
    outage,
    readiness: createReadiness({
      outage,
      threads: outside.threads,
      ...(siblings && { askSiblings: () => siblings.ask("readiness", limits.process.readinessMs) }),
    }),
    reads: createReads(stepSql ?? outside.sql, clock, gate),
    sessionCache: createSessionCache(clock),
    botCache: createBotCache(clock),
    saves: createSaves(stepSql ?? outside.sql, { onJobs, gate }),
    stepLimiter: createKeyedLimiter({
      width: 1,
      maxWaiting: limits.session.queue,
      maxWaitMs: limits.session.waitMs,
      refuse: (why) => new AppError("session.busy", { data: why }),
    }),
    rateLimits: outside.rateLimits ?? createRateLimits(rulesOf(outside.config.RATE_LIMITS)),
    clientHooks: createResentReplies(outside.sql),
    clock: systemClock,
    isLeaving: outside.isLeaving ?? (() => false),
    mailer: createMailer({ url: outside.config.SMTP_URL, from: outside.config.SMTP_FROM }),
    claimTimes: outside.claimTimes ?? claimTimes,
    ...createJobTools(outside.config, share?.outgoingCalls),
    ...(safeFetch && { safeFetch }),
    ...(outside.storage && { storage: outside.storage }),
    uploads: createUploadTokens(outside.sql),
    ...shareUploads({ clock: systemClock, share }),
  };
}

/** Uploads and forms with files that are under way: who is slow leaves places to others, and who comes too many waits. */
export function shareUploads({
  clock,
  share,
}: {
  clock: Clock;
  share?: Share | undefined;
}): Pick<Dependencies, "uploadsUnderWay" | "formsWithFiles"> {
  const line = {
    maxWaiting: limits.uploads.waiting,
    maxWaitMs: limits.uploads.waitMs,
    refuse: (data: ErrorData) => new AppError("server.overloaded", { data }),
    clock,
  };
  return {
    uploadsUnderWay: createShares({
      ...line,
      width: share?.uploadsAtOnce ?? limits.uploads.atOnce,
      shares: limits.uploads.shares,
    }),
    formsWithFiles: createShares({
      ...line,
      width: share?.formsWithFilesAtOnce ?? limits.uploads.formsAtOnce,
      shares: limits.uploads.formShares,
    }),
  };
}

/** What jobs need beside the database, also in a supervisor, which serves no requests. */
export function createJobTools(
  config: Config,
  outgoingCalls?: number,
): Pick<Dependencies, "secrets" | "storage" | "safeFetch" | "outgoingMetrics" | "hops"> {
  const allowedHosts = readAllowedHosts(config.OUTGOING_ALLOW);
  const hops = createHopsCodec(config);
  const metrics = createOutgoingMetrics();
  return {
    hops,
    outgoingMetrics: metrics,
    secrets: createSecrets(operatorKeys(config)),
    storage: openStorage(config),
    safeFetch: createSafeFetch({
      allowedHosts,
      modelServers: readModelServers(config.MODEL_SERVERS),
      hops,
      metrics,
      ...(outgoingCalls !== undefined && { atOnce: outgoingCalls }),
    }),
  };
}
