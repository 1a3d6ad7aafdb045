import type { Config } from "../../config.ts";
import { findShortage, nameConnections } from "../../platform/database/connections.sql.ts";
import { askServer, tryWrite } from "../../platform/database/outages/health.sql.ts";
import { asStartError } from "../../platform/database/primary/start-error.ts";
import { findMigrationState } from "../../platform/database/schema/migrate.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { planProcesses, thisMachine } from "../../platform/processes/shares.ts";
import { about, type Finding } from "./finding.ts";

/** The latency in ms above which the network costs each step of a chat more time than the step itself. */
const farMs = 20;
/** The difference between the clocks, in ms, above which logs are hard to compare with stored times. */
const clockMs = 2_000;

/** Examines the server's version, latency, clock, tables, rights and maximum number of connections. */
export async function examineDatabase(
  sql: Sql,
  { url, config }: { readonly url: string; readonly config: Config },
): Promise<Finding[]> {
  const { fine, doubtful, wrong } = about("Database");
  await askServer(sql);
  const begin = performance.now();
  const { version, now, isStandby } = await askServer(sql);
  const ms = performance.now() - begin;
  const place = config.DATABASE_URL === undefined ? `embedded in ${config.DATA_DIR}` : "at DATABASE_URL";
  const says = `PostgreSQL ${version} ${place} responds in ${ms.toFixed(1)} ms`;
  const answers = isStandby
    ? wrong(`${says}, but it accepts no writes`, "Add its primary to DATABASE_URL.")
    : ms > farMs
      ? doubtful(says, "Run the service closer to the database: each step of a chat waits for it once or twice.")
      : fine(says);
  return [answers, clockOf(now), await tablesOf(sql), await connectionsOf(sql, url, config)];
}

function clockOf(now: Date): Finding {
  const { fine, doubtful } = about("Clock");
  const ms = now.getTime() - Date.now();
  const says = `the database's clock differs from this machine's clock by ${(Math.abs(ms) / 1_000).toFixed(1)} s`;
  if (Math.abs(ms) <= clockMs) return fine(says);
  return doubtful(says, "Synchronise both clocks by NTP. Chats use only the database's clock.");
}

async function tablesOf(sql: Sql): Promise<Finding> {
  const { fine, doubtful, wrong } = about("Tables");
  const { missing, unknown } = await findMigrationState(sql);
  const [first] = unknown;
  if (first !== undefined) {
    return wrong(`a newer release has run the migration ${first}`, "Start that release, or a newer one.");
  }
  if (missing.length > 0) {
    const says = `${missing.length} migrations have not run yet`;
    return doubtful(says, 'The next start runs them. You can also run "parley migrate".');
  }
  try {
    await tryWrite(sql);
    return fine("all migrations have run, and chats can be saved");
  } catch (error) {
    const problem = asStartError(error);
    return wrong(problem instanceof Error ? problem.message : String(problem), "Chats get 503 until then.");
  }
}

async function connectionsOf(sql: Sql, url: string, config: Config): Promise<Finding> {
  const { fine, doubtful } = about("Connections");
  if (config.DATABASE_URL === undefined) return fine("the embedded database accepts as many connections as needed");
  const { connections } = planProcesses(config, thisMachine());
  const shortage = await findShortage(sql, nameConnections(url, connections).name);
  if (shortage === undefined)
    return fine(`this node opens ${connections} connections and a few more, and enough are available`);
  return doubtful("there are too few connections for all nodes", `${shortage}.`);
}
