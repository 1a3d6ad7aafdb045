import { type Config, readConfig } from "../config.ts";
import { asStartError } from "../platform/database/primary/start-error.ts";
import { connect, type Sql } from "../platform/database/sql.ts";
import { shareDatabase } from "../platform/embedded/database.ts";
import { createLog } from "../platform/observing/log.ts";
import type { Environment } from "./command.ts";

/** Runs the work on the configured database: with `shareDatabase` also while a service runs on it. */
export async function withDatabase<Result>(
  environment: Environment,
  work: (sql: Sql, config: Config, url: string) => Promise<Result>,
  { open = shareDatabase, logLevel }: { readonly open?: typeof shareDatabase; readonly logLevel?: "silent" } = {},
): Promise<Result> {
  const config = readConfig(environment);
  const log = createLog(logLevel ?? config.LOG_LEVEL);
  const database = await open(config, { log, onLost: (error) => log.error(error.message) });
  const sql = connect(database.url, { connections: 2 });
  try {
    return await work(sql, config, database.url);
  } catch (error) {
    throw asStartError(error);
  } finally {
    await sql.end();
    await database.close();
  }
}
