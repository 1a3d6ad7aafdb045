import { type Config, readConfig, StartError } from "../config.ts";
import { limits } from "../limits/index.ts";
import { isOutage } from "../platform/database/primary/outage.ts";
import { defaultTimes } from "../platform/database/primary/servers.ts";
import { asStartError, type NamedDatabase } from "../platform/database/primary/start-error.ts";
import { connect, type PoolOptions, type Sql } from "../platform/database/sql.ts";
import { nameOf, shareDatabase } from "../platform/embedded/database.ts";
import { createLog } from "../platform/observing/log.ts";
import type { Environment, Tools } from "./command.ts";
import { awaitInterruption } from "./interruption.ts";

/** How often a command reports that it is waiting. */
const noteEveryMs = 10_000;

/** The database of a command, without its pool. */
export type Opened = {
  readonly config: Config;
  readonly url: string;
  /** The database for the operator, without its password. */
  readonly name: string;
  /** The options of another pool with the same patience. */
  readonly patience: Pick<PoolOptions, "probeTimes" | "silenceNotes">;
  /** Called when the command is interrupted: every other pool must also be closed. */
  readonly onInterrupted: (listener: () => void) => void;
};

type Options = {
  readonly open?: typeof shareDatabase;
  readonly logLevel?: "silent";
  /** The command waits for minutes while the database does not answer, and reports it here. */
  readonly tell?: Tools["tell"];
};

/**
 * Runs the work on the configured database: with `shareDatabase` even while a service runs on it. When the command is
 * interrupted, closes the connections, so that the work fails and is rolled back.
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
    const named = nameOf(database);
    const silence = tell ? watchSilence(named, tell) : undefined;
    const patience = silence?.poolOptions ?? {};
    const sql = connect(database.url, { connections: 2, ...patience });
    interruption.onSignal(() => void sql.end({ timeout: 0 }));
    try {
      const { url } = database;
      return await work(sql, { config, url, name: named.name, patience, onInterrupted: interruption.onSignal });
    } catch (error) {
      throw asStartError(silence?.errorOf(error) ?? error, named);
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

/** Reports every few seconds that the database does not answer, and throws an error for it if this lasts too long. */
function watchSilence({ name }: NamedDatabase, tell: Tools["tell"]) {
  const { patienceMs } = limits.database;
  let end: { readonly silentMs: number; readonly at: number } | undefined;
  const poolOptions: Opened["patience"] = {
    probeTimes: { ...defaultTimes, silenceMs: patienceMs },
    silenceNotes: {
      everyMs: noteEveryMs,
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
      const isOver = end.silentMs + 2 * noteEveryMs > patienceMs && performance.now() - end.at < 2 * noteEveryMs;
      if (!isOver) return error;
      return new StartError(`The database has not answered for ${patienceMs / 60_000} minutes. It is ${name}.`, {
        cause: error,
      });
    },
  };
}
