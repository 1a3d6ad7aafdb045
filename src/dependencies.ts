import { type ClaimTimes, claimTimes } from "./chat/claims.ts";
import type { ClientHooks } from "./chat/client-hooks.ts";
import { createResentReplies } from "./compatibility/resent-replies.ts";
import { type Clock, systemClock } from "./concurrency/clock.ts";
import { createKeyedLimiter, type KeyedLimiter } from "./concurrency/limiter.ts";
import { createStatementGate } from "./concurrency/statement-gate.ts";
import type { Config } from "./config.ts";
import { openStorage } from "./effects/open-storage.ts";
import { createSafeFetch, type SafeFetch } from "./effects/safe-fetch.ts";
import { readAllowedHosts } from "./effects/safe-fetch-addresses.ts";
import type { Storage } from "./effects/storage.ts";
import { AppError } from "./errors.ts";
import type { Board } from "./jobs/board.ts";
import { limits } from "./limits.ts";
import type { Log } from "./log.ts";
import { createSecrets, type Secrets } from "./secrets.ts";
import { createUploadDesk, type UploadDesk } from "./services/upload-tokens.ts";
import { createHotBots, type HotBots } from "./store/chat/bot-cache.ts";
import { createReads, type Reads } from "./store/chat/reads.ts";
import { createSaves, type Saves } from "./store/chat/saves.ts";
import { createDatabaseClock, createHotSessions, type HotSessions } from "./store/chat/session-cache.ts";
import type { Sql } from "./store/database/sql.ts";
import type { Threads } from "./threads/threads.ts";

/** What services are given. */
export type Dependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly sql: Sql;
  readonly threads: Threads;
  readonly reads: Reads;
  readonly hotSessions: HotSessions;
  readonly hotBots: HotBots;
  readonly saves: Saves;
  /** One step at a time for each session, within this process. */
  readonly turns: KeyedLimiter;
  readonly clientHooks: ClientHooks;
  /** Time for what waits: tests hold their own. */
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** The one way out. */
  readonly safeFetch: SafeFetch;
  readonly claimTimes: ClaimTimes;
  /** Where visitors' files lie. */
  readonly storage: Storage;
  readonly uploads: UploadDesk;
  /** Absent in tests that have no job queue. */
  readonly board?: Board;
};

type Outside = Pick<Dependencies, "config" | "log" | "sql" | "threads"> & {
  readonly safeFetch?: SafeFetch;
  readonly claimTimes?: ClaimTimes;
  readonly storage?: Storage;
  readonly board?: Board;
  /** Connections of their own for what every chat step asks; absent: those of the rest. */
  readonly stepSql?: Sql;
  /** Called when a step was saved that leaves jobs behind. */
  readonly onJobs?: () => void;
};

/** Made once by main.ts, or by a test. */
export function createDependencies({ onJobs, safeFetch, stepSql, ...outside }: Outside): Dependencies {
  const allowedHosts = readAllowedHosts(outside.config.OUTGOING_ALLOW);
  const clock = createDatabaseClock();
  const gate = createStatementGate();
  return {
    ...outside,
    reads: createReads(stepSql ?? outside.sql, clock, gate),
    hotSessions: createHotSessions(clock),
    hotBots: createHotBots(clock),
    saves: createSaves(stepSql ?? outside.sql, { onJobs, gate }),
    turns: createKeyedLimiter({
      width: 1,
      maxWaiting: limits.session.queue,
      maxWaitMs: limits.session.waitMs,
      refuse: (why) => new AppError("session.busy", { data: why }),
    }),
    clientHooks: createResentReplies(outside.sql),
    clock: systemClock,
    secrets: createSecrets(outside.config.ENCRYPTION_KEY),
    claimTimes: outside.claimTimes ?? claimTimes,
    storage: outside.storage ?? openStorage(outside.config),
    uploads: createUploadDesk(outside.sql),
    safeFetch: safeFetch ?? createSafeFetch({ allowedHosts }),
  };
}
