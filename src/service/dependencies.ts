import type { ChannelDependencies } from "../channels/dependencies.ts";
import { createChannelMetrics } from "../channels/metrics.ts";
import { createReceiver } from "../channels/storing/receive.ts";
import { createResentReplies } from "../chat/existing-clients/resent-replies.ts";
import { createBotCache } from "../chat/reads/bot-cache.ts";
import { createCallbackTokens } from "../chat/reads/callback-addresses.ts";
import { createReads } from "../chat/reads/reads.ts";
import { createDatabaseClock, createSessionCache } from "../chat/reads/session-cache.ts";
import { createSessionReaders } from "../chat/reads/session-readers.ts";
import { createSuggestionTokens } from "../chat/reads/suggestion-tokens.ts";
import { createClaimRenewals } from "../chat/saves/claim-renewals.sql.ts";
import { createReportStatements } from "../chat/saves/effect-reports.sql.ts";
import { createSaves } from "../chat/saves/saves.ts";
import { createShownStarts } from "../chat/shown/shown-starts.ts";
import { createAnswersElsewhere } from "../chat/steps/answers-elsewhere.ts";
import { createAnswersUnderWay } from "../chat/steps/answers-under-way.ts";
import { type ClaimTimes, claimTimes } from "../chat/steps/claims.ts";
import type { ChatDependencies } from "../chat/steps/dependencies.ts";
import { createStepWatch } from "../chat/steps/step-watch.ts";
import type { Config } from "../config.ts";
import { readAllowedHosts, readModelServers, readOwnMachine, readProviderUrls } from "../core/flow/outgoing-rules.ts";
import { createGoogle } from "../effects/google/google.ts";
import type { GoogleClient } from "../effects/google/google-account.ts";
import { createMailer } from "../effects/mail/email.ts";
import { createModelMetrics } from "../effects/models/model-metrics.ts";
import { createProviderMetrics } from "../effects/providers/provider-metrics.ts";
import { createServiceLimiter } from "../effects/providers/provider-urls.ts";
import { createHopsCodec } from "../effects/safe-fetch/hops.ts";
import { createOutgoingMetrics } from "../effects/safe-fetch/outgoing-metrics.ts";
import { createSafeFetch, type SafeFetch } from "../effects/safe-fetch/safe-fetch.ts";
import { createSafeStream } from "../effects/safe-fetch/safe-fetch-stream.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { rulesOf } from "../limits/rate-rules.ts";
import { createPageWords } from "../management/access/page-words.ts";
import { createDraftWatch } from "../management/bots/drafts/draft-watch.ts";
import type { DomainDependencies } from "../management/domains/dependencies.ts";
import { createTxtResolver, type ResolveTxt } from "../management/domains/domain-proof.ts";
import { createUploadTokens } from "../management/files/upload-tokens.ts";
import { createInsightNotes } from "../management/insight/insight-notes.ts";
import { createReadiness, type Readiness } from "../management/instance/health.ts";
import { createPaymentTokens } from "../management/payments/payment-tokens.ts";
import { type Clock, systemClock } from "../platform/concurrency/clock.ts";
import { createFairShare } from "../platform/concurrency/fair-share.ts";
import { createKeyedLimiter } from "../platform/concurrency/limiter.ts";
import { createStatementGate } from "../platform/concurrency/statement-gate.ts";
import { createDatabasePlaces } from "../platform/database/database-places.ts";
import { createLateWrites } from "../platform/database/outages/late-writes.ts";
import { createOutageWatch } from "../platform/database/outages/outage-watch.ts";
import { createReplicaReads } from "../platform/database/replica/read-replica.ts";
import { createOlderNodes } from "../platform/database/schema/older-nodes.ts";
import type { Sql } from "../platform/database/sql.ts";
import type { Traces } from "../platform/observing/exporter.ts";
import type { Siblings } from "../platform/processes/collector.ts";
import type { Share } from "../platform/processes/shares.ts";
import { createRateLimits, type RateLimits } from "../platform/rate-limits/rate-limits.ts";
import { createSecrets, operatorKeys } from "../platform/secrets.ts";
import { openStorage } from "../platform/storage/open-storage.ts";
import type { Storage } from "../platform/storage/storage.ts";
import type { Board } from "./job-board.ts";

/** All dependencies of the service. Each domain defines its part in its own `dependencies.ts`. */
export type Dependencies = ChatDependencies &
  ChannelDependencies &
  DomainDependencies & {
    readonly readiness: Readiness;
    /** Absent in tests without a job queue. */
    readonly board?: () => Promise<Board>;
  };

type Outside = Pick<Dependencies, "config" | "log" | "sql" | "threads"> & {
  readonly safeFetch?: SafeFetch;
  readonly resolveTxt?: ResolveTxt;
  readonly claimTimes?: ClaimTimes;
  readonly storage?: Storage;
  readonly rateLimits?: RateLimits;
  readonly traces?: Traces;
  readonly board?: () => Promise<Board>;
  /** This process's share of the node's limits. If absent, the process uses all of them. */
  readonly share?: Share;
  readonly siblings?: Siblings;
  readonly isLeaving?: () => boolean;
  /** Separate connections for the statements of chat steps. Defaults to the general pool. */
  readonly stepSql?: Sql;
  readonly replicaSql?: Sql;
  /** Called after a step that adds jobs was saved. */
  readonly onJobs?: () => void;
  /** Called after steps were saved. `inMs` is the time until a step that runs without a request is due. */
  readonly onTimer?: (inMs: number) => void;
  /** Called when a connection to a messenger has received a message or event. */
  readonly onInbound?: (connectionId: string) => void;
  /** Called after saving steps that send messages to contacts. */
  readonly onChannelSteps?: (contactIds: readonly string[]) => void;
  /** Defaults to the system's clock. */
  readonly clock?: Clock;
};

/**
 * Creates the dependencies of requests and of steps without a request. Called once per serving process, and by tests.
 */
export function createDependencies({
  onJobs,
  onTimer,
  onInbound = () => {},
  onChannelSteps,
  safeFetch,
  resolveTxt,
  stepSql,
  share,
  ...outside
}: Outside): Dependencies {
  const clock = createDatabaseClock();
  const gate = createStatementGate();
  const { siblings } = outside;
  const insightNotes = createInsightNotes();
  const outage = createOutageWatch(outside.sql, outside.log);
  const stepWatch = createStepWatch();
  const sessionReaders = createSessionReaders({ sql: outside.sql, onFailure: outage.failed });
  const jobTools = createJobTools(outside.config, share?.outgoingCalls);
  const olderNodes = createOlderNodes({ sql: outside.sql, clock: systemClock });
  return {
    ...outside,
    ...(stepSql && { stepSql }),
    replica: createReplicaReads({ primary: outside.sql, replica: outside.replicaSql }, outside.log),
    outage,
    stepWatch,
    sessionReaders,
    modelMetrics: createModelMetrics(),
    readiness: createReadiness({
      outage,
      threads: outside.threads,
      ...(siblings && { askSiblings: () => siblings.ask("readiness", limits.process.readinessMs) }),
    }),
    databaseClock: clock,
    reads: createReads(stepSql ?? outside.sql, clock, gate, stepWatch.batched),
    claimRenewals: createClaimRenewals(stepSql ?? outside.sql, stepWatch.batched),
    sessionCache: createSessionCache(clock),
    botCache: createBotCache(clock),
    draftWatch: createDraftWatch({ sql: outside.sql, log: outside.log, clock: systemClock }),
    olderNodes,
    insightNotes,
    saves: createSaves(stepSql ?? outside.sql, {
      onJobs,
      gate,
      onBatch: stepWatch.batched,
      onChanged: insightNotes.noteChanged,
      readers: sessionReaders,
      onTimer,
      onChannelSteps,
      olderNodes,
    }),
    reports: createReportStatements(outside.sql),
    stepLimiter: createKeyedLimiter({
      width: 1,
      maxWaiting: limits.session.queue,
      maxWaitMs: limits.session.waitMs,
      refuse: (why) => new AppError("session.busy", { data: why }),
    }),
    answersUnderWay: createAnswersUnderWay(),
    answersElsewhere: createAnswersElsewhere({ sql: outside.sql, onFailure: outage.failed }),
    lateWrites: createLateWrites({ onFailure: outage.failed }),
    rateLimits: outside.rateLimits ?? createRateLimits(rulesOf(outside.config.RATE_LIMITS)),
    clientHooks: createResentReplies(outside.sql),
    clock: outside.clock ?? systemClock,
    ports: {},
    ...channelParts({ ...outside, ...jobTools, outage, onInbound }),
    isLeaving: outside.isLeaving ?? (() => false),
    mailer: createMailer({ url: outside.config.SMTP_URL, from: outside.config.SMTP_FROM }),
    claimTimes: outside.claimTimes ?? claimTimes,
    ...jobTools,
    ...(safeFetch && { safeFetch, pollFetch: safeFetch }),
    ...(resolveTxt && { resolveTxt }),
    ...(outside.storage && { storage: outside.storage }),
    callbackTokens: createCallbackTokens(outside.sql),
    suggestionTokens: createSuggestionTokens(outside.sql),
    shownStarts: createShownStarts(outside.sql),
    uploads: createUploadTokens(outside.sql),
    paymentTokens: createPaymentTokens(outside.sql),
    pageWords: createPageWords(outside.sql),
    startsUnderWay: shareStarts(systemClock),
    databasePlaces: createDatabasePlaces({ connections: outside.sql.options.max, clock: systemClock }),
    ...shareUploads({ clock: systemClock, share }),
  };
}

/** Creates the receiver for calls from messengers, and its metrics. */
function channelParts({
  onInbound,
  clock = systemClock,
  ...parts
}: Pick<Dependencies, "sql" | "log" | "outage" | "secrets" | "onInbound"> & {
  readonly clock?: Clock;
}): Pick<Dependencies, "channelMetrics" | "onInbound" | "receiver"> {
  const channelMetrics = createChannelMetrics();
  return { channelMetrics, onInbound, receiver: createReceiver({ ...parts, clock, channelMetrics, onInbound }) };
}

/**
 * Limits concurrent uploads and concurrent forms with files. Slow uploads cannot take all slots, and further uploads
 * wait for a free slot.
 */
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
    clock,
  };
  return {
    uploadsUnderWay: createFairShare({
      ...line,
      total: share?.uploadsAtOnce ?? limits.uploads.atOnce,
      shares: limits.uploads.shares,
    }),
    formsWithFiles: createFairShare({
      ...line,
      total: share?.formsWithFilesAtOnce ?? limits.uploads.formsAtOnce,
      shares: limits.uploads.formShares,
    }),
  };
}

/** Limits concurrent starts. A single workspace can use two thirds of the slots and of the queue. */
export function shareStarts(clock: Clock): Dependencies["startsUnderWay"] {
  return createFairShare({
    total: limits.starts.underWay,
    shares: { workspace: 2 / 3 },
    maxWaiting: limits.starts.waiting,
    maxWaitMs: limits.starts.waitMs,
    clock,
  });
}

/**
 * The dependencies of jobs except the database. A supervisor, which serves no requests, also has these dependencies.
 */
export type JobTools = Pick<
  Dependencies,
  | "secrets"
  | "storage"
  | "safeFetch"
  | "pollFetch"
  | "safeStream"
  | "outgoingMetrics"
  | "providers"
  | "google"
  | "hops"
  | "resolveTxt"
>;

export function createJobTools(config: Config, outgoingCalls?: number): JobTools {
  const allowedHosts = readAllowedHosts(config.OUTGOING_ALLOW);
  const hops = createHopsCodec(config);
  const metrics = createOutgoingMetrics();
  const modelServers = readModelServers(config.MODEL_SERVERS);
  const providerUrls = readProviderUrls(config.PROVIDER_URLS);
  const ownMachine = readOwnMachine(config.OUTGOING_ALLOW);
  const channelServers = new Set([new URL(config.TELEGRAM_API_URL).origin]);
  const servers = { ownMachine, modelServers, providerServers: new Set(providerUrls.values()), channelServers };
  const share = (outgoingCalls ?? limits.outgoing.calls) / limits.outgoing.calls;
  return {
    hops,
    outgoingMetrics: metrics,
    providers: { urls: providerUrls, metrics: createProviderMetrics(), calls: createServiceLimiter() },
    google: createGoogle({ clock: systemClock, client: googleClient(config) }),
    resolveTxt: createTxtResolver(),
    secrets: createSecrets(operatorKeys(config)),
    storage: openStorage(config),
    safeFetch: createSafeFetch({
      allowedHosts,
      ...servers,
      hops,
      metrics,
      ...(outgoingCalls !== undefined && { atOnce: outgoingCalls }),
    }),
    pollFetch: createSafeFetch({ allowedHosts, ...servers, hops, atOnce: limits.channels.polls }),
    safeStream: createSafeStream({ allowedHosts, ...servers, hops, atOnce: streamsOf(share) }),
  };
}

/**
 * Returns the operator's OAuth client for Google, which is used for credentials without their own client. Returns
 * undefined if the operator has not configured one.
 */
function googleClient({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }: Config): GoogleClient | undefined {
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** Returns the number of outgoing streams for a process with this share of a node's calls. */
function streamsOf(share: number): number {
  return Math.max(1, Math.ceil(limits.streams.calls * Math.min(share, 1)));
}
