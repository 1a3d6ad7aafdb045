import type { Config } from "./config.ts";
import { createSafeFetch, type SafeFetch } from "./effects/safe-fetch.ts";
import type { Log } from "./log.ts";
import { createReads, type Reads } from "./services/reads.ts";
import { createSaves, type Saves } from "./services/saves.ts";
import { createTurns, type Turns } from "./services/turns.ts";
import type { Sql } from "./store/sql.ts";
import type { Threads } from "./threads/threads.ts";

/** What services are given. */
export type Dependencies = {
  readonly config: Config;
  readonly log: Log;
  readonly sql: Sql;
  readonly threads: Threads;
  readonly reads: Reads;
  readonly saves: Saves;
  readonly turns: Turns;
  /** The one way out. */
  readonly safeFetch: SafeFetch;
};

type Outside = Pick<Dependencies, "config" | "log" | "sql" | "threads"> & {
  readonly safeFetch?: SafeFetch;
  /** Called when a step was saved that leaves jobs behind. */
  readonly onJobs?: () => void;
};

/** Made once by main.ts, or by a test. */
export function createDependencies({ onJobs, safeFetch, ...outside }: Outside): Dependencies {
  const allowedHosts = outside.config.OUTGOING_ALLOW.toLowerCase().split(/ *, */).filter(Boolean);
  return {
    ...outside,
    reads: createReads(outside.sql),
    saves: createSaves(outside.sql, { onJobs }),
    turns: createTurns(),
    safeFetch: safeFetch ?? createSafeFetch({ allowedHosts }),
  };
}
