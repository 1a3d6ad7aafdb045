import { version } from "../../../package.json";
import { type Config, ConfigError, readConfig } from "../../config.ts";
import { countSealed } from "../../management/credentials/key-rotation.ts";
import { readFindings } from "../../platform/database/primary/database-servers.ts";
import { inspectAddress } from "../../platform/database/primary/primary-acceptance.ts";
import { asStartError } from "../../platform/database/primary/start-error.ts";
import { createReplicaWatch } from "../../platform/database/replica/read-replica.ts";
import { findMigrationState } from "../../platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../platform/database/sql.ts";
import { withKeptKey } from "../../platform/embedded/encryption-key.ts";
import { createSecrets, operatorKeys } from "../../platform/secrets.ts";
import type { Environment } from "../command.ts";
import { withDatabase } from "../database.ts";
import { examineArchive } from "./archive.ts";
import { examineChannels } from "./channels.ts";
import { examineDatabase } from "./database.ts";
import { about, type Finding } from "./finding.ts";
import {
  examineAddresses,
  examineBuilder,
  examineDataFolder,
  examineKey,
  examineMail,
  examineOutgoing,
  examinePort,
  examineRetries,
  examineStorage,
} from "./surroundings.ts";

/**
 * Runs the checks and returns the findings. If the settings are invalid, no other checks run. Calls `onFinding` with
 * each finding while the checks run.
 */
export async function examine(environment: Environment, onFinding: (finding: Finding) => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (...found: Finding[]) => {
    for (const finding of found) onFinding(finding);
    findings.push(...found);
  };
  add(about("Versions").fine(`Parley ${version}, Bun ${Bun.version}, ${process.platform} on ${process.arch}`));
  const config = settingsOf(environment);
  if ("state" in config) {
    add(config);
    return findings;
  }
  add(about("Settings").fine("all settings are valid"));
  add(examineDataFolder(config));
  add(...(await examineServers(config)), ...(await openAndExamine(environment)));
  add(await examineArchive(config));
  add(await examineStorage(config), examineKey(config), examineRetries(config));
  add(...(await Promise.all([examinePort(config), examineBuilder(config)])), examineAddresses(config));
  add(...(await examineOutgoing(config)), await examineMail(config));
  return findings;
}

function settingsOf(environment: Environment): Config | Finding {
  const { wrong } = about("Settings");
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return wrong(error.message, "Correct the variable. No other checks were run.");
  }
}

/**
 * Runs the checks that need the database. An embedded database is started for the checks, unless a service already runs
 * on it.
 */
async function openAndExamine(environment: Environment): Promise<Finding[]> {
  const work: Parameters<typeof withDatabase<Finding[]>>[1] = async (sql, { config, url }) => [
    ...(await examineDatabase(sql, { url, config })),
    ...(await examineReplica(sql, config)),
    ...(await examineSealed(sql, config)),
    ...(await examineChannels(sql, config)),
  ];
  return await withDatabase(environment, work, { logLevel: "silent" }).catch((error: unknown) => {
    const problem = asStartError(error);
    const text = problem instanceof Error ? problem.message : String(problem);
    return [about("Database").wrong(text, "No other check works without the database.")];
  });
}

/** Examines whether the configured read replica is a replica and keeps up. A service works without its replica. */
async function examineReplica(primary: Sql, { DATABASE_READ_URL: url }: Config): Promise<Finding[]> {
  if (url === undefined) return [];
  const { fine, doubtful } = about("Read replica");
  const replica = connect(url, { connections: 1, isReplica: true });
  try {
    const state = await createReplicaWatch({ primary, replica })();
    switch (state.kind) {
      case "fit":
        return [fine("at DATABASE_READ_URL, up to date")];
      case "behind":
        return [
          doubtful(
            "it is behind",
            "Until it catches up, lists are read from the primary: see pg_stat_replication there.",
          ),
        ];
      case "away":
        return [
          doubtful(state.why, "Lists are read from the primary: correct DATABASE_READ_URL, or start the replica."),
        ];
    }
  } finally {
    await replica.end({ timeout: 0 });
  }
}

/** Examines whether the keys decrypt all encrypted data. Returns no finding if tables are missing. */
async function examineSealed(sql: Sql, config: Config): Promise<Finding[]> {
  const { fine, wrong } = about("Stored secrets");
  const { missing } = await findMigrationState(sql);
  if (missing.length > 0) return [];
  const { total, unreadable } = await countSealed(sql, createSecrets(operatorKeys(await withKeptKey(config))));
  if (unreadable === 0) return [fine(total === 0 ? "none" : `all ${total} can be decrypted`)];
  const todo = "Set ENCRYPTION_KEY or ENCRYPTION_KEY_OLD to the key that encrypted them, or enter these secrets again.";
  return [wrong(`no key decrypts ${unreadable} of ${total}`, todo)];
}

/**
 * Examines which of several servers is the primary, and whether any other server accepts writes. Returns no finding for
 * a single server that is not rejected.
 */
async function examineServers({ DATABASE_URL: url }: Config): Promise<Finding[]> {
  if (url === undefined) return [];
  const { fine, doubtful, wrong } = about("Database servers");
  const reports = readFindings(await inspectAddress(url));
  const refused = reports.filter(({ state }) => state === "refused");
  if (reports.length === 1 && refused.length === 0) return [];
  const says = reports.map(({ server, state, timeline, why }) => {
    const on = timeline === undefined ? "" : ` on timeline ${timeline}`;
    return why === undefined ? `${server} is ${state}${on}` : `${server} is rejected, because it ${why}`;
  });
  if (refused.length === 0) return [fine(says.join("; "))];
  const todo =
    "Make it a standby of the primary, or stop it. To use it as the primary: parley primary --accept <host:port>.";
  const isServed = reports.some(({ state }) => state === "serving");
  return [isServed ? doubtful(says.join("; "), todo) : wrong(says.join("; "), todo)];
}
