import type { Command } from "commander";
import { type AddCommand, jsonOption, UsageError, wholeUpTo } from "../command.ts";
import { serviceOptions } from "../service-options.ts";
import type { DeployOptions } from "./deploy.ts";
import type { PullOptions } from "./pull.ts";

const pullNotes = `
Each folder is one bot: bot.json, and tests/NAME.json for each test conversation. parley.json contains the address of each environment; the first
pull of an environment writes the values of --url and --workspace, or their defaults, there. parley.ENVIRONMENT.lock.json records the state that
the files were pulled from: commit this file as well. docs/git.md explains the files.`;

const deployNotes = `
Without --apply, the command shows the plan and changes nothing. It refuses to continue if somebody has changed a bot in the environment since the
last pull or deploy, or, with --publish, the live version of a bot that would be published. A bot whose files did not change keeps its live
version. The exit code is 1 if the command refuses to continue, or if a bot could not be deployed. See docs/git.md for details.`;

/** Adds `parley pull`, which writes the bots of an environment to files. */
export const addPull: AddCommand = (program, tools) => {
  const pull = program.command("pull").description("Write the bots of an environment into a folder, for Git.");
  located(pull)
    .option("--force", "also replace files that have local changes")
    .option("--prune", "remove the folders of bots that no longer exist in the environment")
    .addHelpText("after", pullNotes)
    .action(async (name: string, folder: string, options: PullOptions) => {
      await (await import("./pull.ts")).pull(tools, name, folder, options);
    });
};

/** Adds `parley deploy`, which makes the bots of an environment match the files. */
export const addDeploy: AddCommand = (program, tools) => {
  const deploy = program.command("deploy").description("Make the bots of an environment equal to a folder.");
  located(deploy)
    .option("--apply", "apply the plan")
    .option("--publish", "publish the bots whose files changed")
    .option("--note <text>", "with --publish: a note for the version history")
    .option("--percent <n>", "with --publish: publish as canaries, only for this share of new chats", wholeUpTo(99))
    .option("--adopt", "adopt bots of the same name that do not belong to the folder yet")
    .option("--force", "overwrite drafts that other people have changed in the environment")
    .option(
      "--force-live <folder>",
      "with --publish: publish the bot of this folder regardless of its live version (may be repeated)",
      collectFolders,
    )
    .option("--prune", "move bots without a folder to the bin, and remove tests without a file")
    .addHelpText("after", deployNotes)
    .action(async (name: string, folder: string, options: DeployOptions) => {
      if (!options.publish && (options.note ?? options.percent ?? options.forceLive) !== undefined)
        throw new UsageError("--note, --percent and --force-live require --publish.");
      await (await import("./deploy.ts")).deploy(tools, name, folder, options);
    });
};

/** Collects folder names from a repeated option. Removes a leading `./` and slashes at the end. */
function collectFolders(folder: string, before: readonly string[] = []): readonly string[] {
  return [...before, folder.replace(/^\.\//, "").replace(/\/+$/, "")];
}

function located(command: Command): Command {
  return command
    .argument("<environment>", "the environment's name in parley.json, such as production")
    .argument("[folder]", "the folder of the bots", ".")
    .option("--url <address>", "for a new environment: the address of its service")
    .option(
      "--workspace <id or name>",
      "for a new environment: its workspace (default: the only one that the token can access)",
    )
    .option(
      serviceOptions.token[0],
      "an API token (default: PARLEY_TOKEN_ENVIRONMENT, otherwise as for other commands)",
    )
    .option("--token-from <variable>", "the environment variable with the token, overriding parley.json")
    .option(...jsonOption);
}
