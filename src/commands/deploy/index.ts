import type { Command } from "commander";
import { type AddCommand, jsonOption, UsageError, wholeUpTo } from "../command.ts";
import { serviceOptions } from "../service-options.ts";
import type { DeployOptions } from "./deploy.ts";
import type { PullOptions } from "./pull.ts";

const pullNotes = `
One folder is one bot: bot.json, and tests/NAME.json for each test conversation. parley.json says where each environment is; the first pull of one takes
--url and --workspace and writes them there. parley.ENVIRONMENT.lock.json says which state the files were taken from: commit it, too.
docs/git.md explains the files.`;

const deployNotes = `
Without --apply it shows the plan, and changes nothing. It refuses when somebody has changed a bot there since the last pull or deploy, or, with
--publish, the live version of a bot that it would publish. A bot whose files did not change keeps its live version. The exit code is 1 if it refuses,
or a bot could not be deployed. docs/git.md has more.`;

/** Adds `parley pull`, which writes the bots of an environment to files. */
export const addPull: AddCommand = (program, tools) => {
  const pull = program.command("pull").description("Write the bots of an environment into a folder, for Git.");
  located(pull)
    .option("--force", "also replace files that have changes of their own")
    .option("--prune", "remove the folders of bots that the environment has no longer")
    .addHelpText("after", pullNotes)
    .action(async (name: string, folder: string, options: PullOptions) => {
      await (await import("./pull.ts")).pull(tools, name, folder, options);
    });
};

/** Adds `parley deploy`, which makes the bots of an environment match the files. */
export const addDeploy: AddCommand = (program, tools) => {
  const deploy = program.command("deploy").description("Make the bots of an environment as a folder has them.");
  located(deploy)
    .option("--apply", "do what the plan says")
    .option("--publish", "publish the bots whose files changed")
    .option("--note <text>", "with --publish: a note for the history")
    .option("--percent <n>", "with --publish: only for this share of new chats: as canaries", wholeUpTo(99))
    .option("--adopt", "take over bots of the same name that do not belong to the folder yet")
    .option("--force", "overwrite the drafts that others have changed there")
    .option(
      "--force-live <folder>",
      "with --publish: publish the bot of this folder whatever is live there (may be given several times)",
      collectFolders,
    )
    .option("--prune", "move bots whose folder has gone to the bin, and remove tests that have no file")
    .addHelpText("after", deployNotes)
    .action(async (name: string, folder: string, options: DeployOptions) => {
      if (!options.publish && (options.note ?? options.percent ?? options.forceLive) !== undefined)
        throw new UsageError("--note, --percent and --force-live need --publish.");
      await (await import("./deploy.ts")).deploy(tools, name, folder, options);
    });
};

/** Collects folder names from a repeated option. Removes a leading `./` and slashes at the end. */
function collectFolders(folder: string, before: readonly string[] = []): readonly string[] {
  return [...before, folder.replace(/^\.\//, "").replace(/\/+$/, "")];
}

function located(command: Command): Command {
  return command
    .argument("<environment>", "its name in parley.json, such as production")
    .argument("[folder]", "the folder of the bots", ".")
    .option("--url <address>", "of a new environment: the address of its service")
    .option(
      "--workspace <id or name>",
      "of a new environment: its workspace (default: the only one that the token sees)",
    )
    .option(serviceOptions.token[0], "an API token (default: PARLEY_TOKEN_ENVIRONMENT, else as for other commands)")
    .option("--token-from <variable>", "the variable of the environment that has the token, whatever parley.json says")
    .option(...jsonOption);
}
