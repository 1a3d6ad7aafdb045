import { readConfig, StartError } from "../config.ts";
import { type AddCommand, jsonOption, printJson } from "./command.ts";

export const addPrimary: AddCommand = (program, tools) => {
  const { environment, print } = tools;
  program
    .command("primary")
    .description("Show which server of DATABASE_URL is the primary, or choose the primary if nodes reject it.")
    .option("--accept <host:port>", "make this server, which accepts writes, the primary for all nodes")
    .option(...jsonOption)
    .addHelpText(
      "after",
      "\nNodes reject an old primary that returns after another server was promoted, because it lacks the answers that only the promoted server has.",
    )
    .action(async ({ accept, json }: { readonly accept?: string; readonly json?: true }) => {
      const { DATABASE_URL: url } = readConfig(environment);
      if (url === undefined) throw new StartError("The embedded database has one server: there is nothing to choose.");
      const { acceptPrimary, inspectAddress } = await import("../platform/database/primary/primary-acceptance.ts");
      const { readFindings } = await import("../platform/database/primary/database-servers.ts");
      if (accept !== undefined) await acceptPrimary(url, accept);
      const servers = readFindings(await inspectAddress(url));
      if (json) return printJson(tools, { servers });
      for (const { server, state, timeline, why } of servers) {
        const on = timeline === undefined ? "" : `, timeline ${timeline}`;
        print(`${server}: ${state}${on}${why === undefined ? "" : `: it ${why}`}\n`);
      }
    });
};
