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

/** The interval at which a command reports that it is waiting. */
const noteEveryMs = 10_000;

/** The database that a command has opened, and its settings. The connection pool is passed separately. */
export type Opened = {
  readonly config: Config;
  readonly url: string;
  /** The database's name in messages to the operator, without the password. */
  readonly name: string;
  /** Options that give another pool the same timeouts. */
  readonly patience: Pick<PoolOptions, "probeTimes" | "silenceNotes">;
  /** Calls the listener when the command is interrupted. The listener must close every additional pool. */
  readonly onInterrupted: (listener: () => void) => void;
};

type Options = {
  readonly open?: typeof shareDatabase;
  readonly logLevel?: "silent";
  /** Receives messages while the command waits for a database that does not respond. The wait may take minutes. */
  readonly tell?: Tools["tell"];
};

/**
 * Runs the work on the configured database. With the default `open`, a service may run on the database at the same
 * time. An interruption closes the connections, so that the work fails and is rolled back.
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

/**
 * Reports every ten seconds that the database does not respond. If it stays silent until the time limit, `errorOf`
 * replaces the error of the outage.
 */
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
          `The database has not responded for ${Math.round(silentMs / 1_000)} s: waiting at most ${patienceMs / 60_000} minutes. It is ${name}.`,
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
      return new StartError(`The database has not responded for ${patienceMs / 60_000} minutes. It is ${name}.`, {
        cause: error,
      });
    },
  };
}
