import { version } from "../../../package.json";
import { type Config, ConfigError, readConfig } from "../../config.ts";
import { asStartError } from "../../platform/database/primary/start-error.ts";
import type { Environment } from "../command.ts";
import { withDatabase } from "../database.ts";
import { examineArchive } from "./archive.ts";
import { examineDatabase } from "./database.ts";
import { about, type Finding } from "./finding.ts";
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
  add(about("Versions").fine(`Parley ${version}, Bun ${Bun.version}, ${process.platform} on ${process.arch}`));
  const config = settingsOf(environment);
  if ("state" in config) {
    add(config);
    return findings;
  }
  add(about("Settings").fine("all of them can be read"));
  add(examineDataFolder(config));
  add(...(await examineServers(config)), ...(await openAndExamine(environment)));
  add(await examineArchive(config));
  add(await examineStorage(config), examineKey(config));
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
    return wrong(error.message, "Correct the variable; nothing else was tried.");
  }
}

/** An embedded database is started for this, where no service runs on it. */
async function openAndExamine(environment: Environment): Promise<Finding[]> {
  const work: Parameters<typeof withDatabase<Finding[]>>[1] = async (sql, { config, url }) => [
    ...(await examineDatabase(sql, { url, config })),
    ...(await examineReplica(sql, config)),
    ...(await examineSealed(sql, config)),
  ];
  return await withDatabase(environment, work, { logLevel: "silent" }).catch((error: unknown) => {
    const problem = asStartError(error);
    const text = problem instanceof Error ? problem.message : String(problem);
    return [about("Database").wrong(text, "Nothing works without it.")];
  });
}
