import { type Config, readConfig, StartError } from "../config.ts";
import { limits } from "../limits/index.ts";
import { isOutage } from "../platform/database/primary/outage.ts";
import { defaultTimes } from "../platform/database/primary/servers.ts";
import { asStartError } from "../platform/database/primary/start-error.ts";
import { connect, type PoolOptions, type Sql } from "../platform/database/sql.ts";
import { type OpenDatabase, shareDatabase } from "../platform/embedded/database.ts";
import { createLog } from "../platform/observing/log.ts";
import type { Environment, Tools } from "./command.ts";
import { awaitInterruption } from "./interruption.ts";

/** What a command works on beside the pool. */
export type Opened = {
  readonly config: Config;
  readonly url: string;
  /** The database for the operator, without its password. */
  readonly name: string;
  /** The options of a further pool, which is as patient. */
  readonly patience: Pick<PoolOptions, "probeTimes" | "silenceNotes">;
  /** Called when the command is interrupted: a further pool has to be closed then, too. */
  readonly onInterrupted: (listener: () => void) => void;
};

type Options = {
  readonly open?: typeof shareDatabase;
  readonly logLevel?: "silent";
  /** The command bears a silence of the database for minutes, and says so here. */
  readonly tell?: Tools["tell"];
};

/**
 * Runs the work on the configured database: with `shareDatabase` also while a service runs on it. When the command is interrupted the connections
 * are closed, so that the work fails, and undoes what it did.
 */
export async function withDatabase<Result>(
  environment: Environment,
  work: (sql: Sql, opened: Opened) => Promise<Result>,
  { open = shareDatabase, logLevel, tell }: Options = {},
): Promise<Result> {
  const config = readConfig(environment);
  const log = createLog(logLevel ?? config.LOG_LEVEL);
  const interruption = awaitInterruption();
  try {
    const database = await open(config, {
      log,
      onLost: (error) => log.error(error.message),
      signal: interruption.signal,
    });
    const silence = tell ? watchPatiently(database, tell) : undefined;
    const patience = silence?.poolOptions ?? {};
    const sql = connect(database.url, { connections: 2, ...patience });
    interruption.onSignal(() => void sql.end({ timeout: 0 }));
    try {
      const { url, name } = database;
      return await work(sql, { config, url, name, patience, onInterrupted: interruption.onSignal });
    } catch (error) {
      throw asStartError(silence?.errorOf(error) ?? error, database);
    } finally {
      await sql.end();
      await database.close();
    }
  } catch (error) {
    throw interruption.errorOf(error);
  } finally {
    interruption.end();
  }
}

/** Says every few seconds that the database is silent, and names the silence if it lasted too long. */
function watchPatiently({ name }: OpenDatabase, tell: Tools["tell"]) {
  const { patienceMs, patienceNoteMs } = limits.database;
  let end: { readonly silentMs: number; readonly at: number } | undefined;
  const poolOptions: Opened["patience"] = {
    probeTimes: { ...defaultTimes, silenceMs: patienceMs },
    silenceNotes: {
      everyMs: patienceNoteMs,
      note(silentMs) {
        end = { silentMs, at: performance.now() };
        tell(
          `The database has not answered for ${Math.round(silentMs / 1_000)} s: waiting, at most ${patienceMs / 60_000} minutes. It is ${name}.`,
        );
      },
    },
  };
  return {
    poolOptions,
    errorOf(error: unknown): unknown {
      if (end === undefined || !isOutage(error)) return error;
      const isOver = end.silentMs + 2 * patienceNoteMs > patienceMs && performance.now() - end.at < 2 * patienceNoteMs;
      if (!isOver) return error;
      return new StartError(`The database has not answered for ${patienceMs / 60_000} minutes. It is ${name}.`, {
        cause: error,
      });
    },
  };
}
