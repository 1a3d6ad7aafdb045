import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
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
  readonly saves: Saves;
  readonly turns: Turns;
};

/** Made once by main.ts, or by a test. */
export function createDependencies(outside: Pick<Dependencies, "config" | "log" | "sql" | "threads">): Dependencies {
  return { ...outside, saves: createSaves(outside.sql), turns: createTurns() };
}
