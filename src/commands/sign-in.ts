import type { Config } from "../config.ts";
import { builderAddress, builderPlace, localAddress } from "../management/access/builder-place.ts";
import { type AddCommand, jsonOption, printJson } from "./command.ts";

type Options = { readonly user?: string; readonly json?: true };

export const addSignIn: AddCommand = (program, tools) => {
  const { environment, print, tell } = tools;
  program
    .command("sign-in")
    .description("Print a one-time link that signs a person in to the builder.")
    .option("--user <id or e-mail>", "the person (default: the first administrator)")
    .option(...jsonOption)
    .action(async ({ user, json }: Options) => {
      const { withDatabase } = await import("./database.ts");
      const { createOperatorLink } = await import("../management/people/operator-sign-ins.ts");
      const { limits } = await import("../limits/index.ts");
      const made = await withDatabase(environment, async (sql, { config }) => ({
        ...(await createOperatorLink(sql, user)),
        address: await findAddress(config),
      }));
      const link = `${made.address}/sign-in#${made.secret}`;
      if (json) return printJson(tools, { user: made.name, link, minutes: limits.signIns.linkMinutes });
      tell(`This link signs ${made.name} in, once, within ${limits.signIns.linkMinutes} minutes:`);
      print(`${link}\n`);
    });
};

const answerMs = 2_000;

/** The builder's default port. A service that listens on a random port prints the builder's port in its ready line. */
const nextPort = 3_001;

/**
 * Returns the builder's address: from the settings, or from the running service, or otherwise the default. Throws a
 * ConfigError if no builder is served.
 */
async function findAddress(config: Config): Promise<string> {
  const { ConfigError } = await import("../config.ts");
  const { address, port } = builderPlace(config);
  if (address === undefined && port === undefined) throw new ConfigError("APP_PORT is off, so no builder is served.");
  const known = builderAddress(config, undefined) ?? (await askService(config));
  return known ?? `${localAddress(config.HOST, port?.number || nextPort)}/app`;
}

async function askService({ HOST, PORT }: Config): Promise<string | undefined> {
  const { textAt } = await import("../web/conversation/read.ts");
  try {
    const answer = await fetch(`${localAddress(HOST, PORT)}/api/v1/instance`, {
      signal: AbortSignal.timeout(answerMs),
    });
    return textAt(await answer.json(), "instance", "addresses", "app");
  } catch {
    // No service responds here in time, or the running service has another version.
    return undefined;
  }
}
