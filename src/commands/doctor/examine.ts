import { version } from "../../../package.json";
import { type Config, ConfigError, readConfig } from "../../config.ts";
import { asStartError } from "../../platform/database/primary/start-error.ts";
import { connect } from "../../platform/database/sql.ts";
import { shareDatabase } from "../../platform/embedded/database.ts";
import { createLog } from "../../platform/observing/log.ts";
import type { Environment } from "../command.ts";
import { examineArchive } from "./archive.ts";
import { examineDatabase } from "./database.ts";
import { type Finding, fine, wrong } from "./finding.ts";
import { examineReplica } from "./replica.ts";
import { examineSealed } from "./sealed.ts";
import { examineServers } from "./servers.ts";
import {
  examineAddresses,
  examineBuilder,
  examineDataFolder,
  examineKey,
  examineMail,
  examineOutgoing,
  examinePort,
  examineStorage,
} from "./surroundings.ts";

/** Runs all checks one after the other, and returns the findings; `onFinding` is called with each at once. */
export async function examine(environment: Environment, onFinding: (finding: Finding) => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (...found: Finding[]) => {
    for (const finding of found) onFinding(finding);
    findings.push(...found);
  };
  add(fine("Versions", `Parley ${version}, Bun ${Bun.version}, ${process.platform} on ${process.arch}`));
  const config = settingsOf(environment);
  if ("state" in config) {
    add(config);
    return findings;
  }
  add(fine("Settings", "all of them can be read"));
  add(examineDataFolder(config));
  add(...(await examineServers(config)), ...(await openAndExamine(config)));
  add(await examineArchive(config));
  add(await examineStorage(config), examineKey(config));
  add(...(await Promise.all([examinePort(config), examineBuilder(config)])), examineAddresses(config));
  add(...(await examineOutgoing(config)), await examineMail(config));
  return findings;
}

function settingsOf(environment: Environment): Config | Finding {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return wrong("Settings", error.message, "Correct the variable; nothing else was tried.");
  }
}

/** An embedded database is started for this, where no service runs on it. */
async function openAndExamine(config: Config): Promise<Finding[]> {
  try {
    const log = createLog("silent");
    const database = await shareDatabase(config, { log, onLost: () => {} });
    const sql = connect(database.url, { connections: 2 });
    try {
      const found = await examineDatabase(sql, { url: database.url, config });
      return [...found, ...(await examineReplica(sql, config)), ...(await examineSealed(sql, config))];
    } finally {
      await sql.end();
      await database.close();
    }
  } catch (error) {
    const problem = asStartError(error);
    const text = problem instanceof Error ? problem.message : String(problem);
    return [wrong("Database", text, "Nothing works without it.")];
  }
}
