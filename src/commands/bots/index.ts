import { type Command, Option } from "commander";
import { type AddCommand, jsonOption, type Tools, UsageError, wholeNumber, wholeUpTo } from "../command.ts";
import { defaultUrl, type JsonServiceOptions, serviceOptions } from "../service-options.ts";
import type { CanaryOptions } from "./canary.ts";
import type { ListOptions } from "./list.ts";
import type { ProblemsOptions } from "./problems.ts";
import type { PublishOptions } from "./publish.ts";

const notes = `
Enter a bot by its id, its public id or its name. With several bots, a failure of one bot does not stop the others, and the exit code is 1.
docs/command-line.md has examples and the output of --json.`;

const oneBot = ["<bot>", "the bot's id, public id or name"] as const;
const severalBots = ["<bots...>", "the bots' ids, public ids or names"] as const;
const workspaceOption = [
  "--workspace <id or name>",
  "the workspace (default: the only one that the token can access)",
] as const;
const noteOption = ["--note <text>", "a note for the version history"] as const;
const moveOption = [
  "--move",
  "move running chats to this version at their next input, where that is possible",
] as const;

export const addBots: AddCommand = (program, tools) => {
  const bots = program.command("bots").description("List, publish, roll back and archive bots.");
  bots.addHelpText("after", notes);
  addReading(bots, tools);
  addPublishing(bots, tools);
  addArchiving(bots, tools);
};

function addReading(bots: Command, tools: Tools): void {
  command(bots, tools, "list", "List the bots of a workspace.")
    .option(...workspaceOption)
    .option("--search <text>", "only bots whose name or public id contains this text")
    .addOption(new Option("--published", "only published bots").conflicts(["unpublished", "archived"]))
    .addOption(new Option("--unpublished", "only unpublished bots").conflicts("archived"))
    .option("--archived", "archived bots instead of active bots")
    .action(async (options: ListOptions) => (await import("./list.ts")).printBots(tools, options));

  command(bots, tools, "problems", "List the errors of all bots in chats of the last day and week.")
    .option(...workspaceOption)
    .action(async (options: ProblemsOptions) => (await import("./problems.ts")).printProblems(tools, options));

  command(bots, tools, "get", "Show one bot.")
    .argument(...oneBot)
    .action(async (bot: string, options: JsonServiceOptions) =>
      (await import("./show.ts")).printBot(tools, bot, options),
    );

  command(bots, tools, "versions", "List the versions of a bot, newest first.")
    .argument(...oneBot)
    .action(async (bot: string, options: JsonServiceOptions) =>
      (await import("./show.ts")).printVersions(tools, bot, options),
    );
}

function addPublishing(bots: Command, tools: Tools): void {
  command(bots, tools, "publish", "Publish the drafts of bots.")
    .argument(...severalBots)
    .option(...noteOption)
    .option("--percent <n>", "publish as a canary, only for this share of new chats", wholeUpTo(99))
    .option(...moveOption)
    .option("--force", "publish despite errors of the linter and failed test conversations")
    .action(async (names: string[], options: PublishOptions) => {
      await (await import("./publish.ts")).publishBots(tools, names, options);
    });

  command(
    bots,
    tools,
    "rollback",
    "Publish the version before the published version again, or another earlier version.",
  )
    .argument(...severalBots)
    .option("--number <n>", "the version to publish", wholeNumber)
    .option(...noteOption)
    .option(...moveOption)
    .action(async (names: string[], options: PublishOptions) => {
      if (options.number !== undefined && names.length > 1) throw new UsageError("--number requires a single bot.");
      await (await import("./rollback.ts")).rollBackBots(tools, names, options);
    });

  command(bots, tools, "unpublish", "Unpublish bots. Running chats continue.")
    .argument(...severalBots)
    .action(async (names: string[], options: JsonServiceOptions) => {
      await (await import("./publish.ts")).unpublishBots(tools, names, options);
    });

  command(bots, tools, "canary", "Show the canary of a bot, change its share, promote it or roll it back.")
    .argument(...oneBot)
    .addOption(new Option("--percent <n>", "change the canary's share of new chats").argParser(wholeUpTo(99)))
    .addOption(new Option("--promote", "publish the canary for all visitors").conflicts(["percent", "rollback"]))
    .addOption(
      new Option("--rollback", "end the canary: new chats start on the published version").conflicts("percent"),
    )
    .option(...moveOption)
    .addHelpText("after", "\n`parley bots publish BOT --percent 10` starts a canary.")
    .action(async (bot: string, options: CanaryOptions) => {
      if (options.move && !options.promote) throw new UsageError("--move requires --promote.");
      await (await import("./canary.ts")).handleCanary(tools, bot, options);
    });
}

function addArchiving(bots: Command, tools: Tools): void {
  command(bots, tools, "archive", "Archive bots: they keep their data, and start no new chats.")
    .argument(...severalBots)
    .action(async (names: string[], options: JsonServiceOptions) => {
      await (await import("./archive.ts")).archiveBots(tools, names, options);
    });

  command(bots, tools, "restore", "Restore bots from the archive or the bin.")
    .argument(...severalBots)
    .action(async (names: string[], options: JsonServiceOptions) => {
      await (await import("./archive.ts")).restoreBots(tools, names, options);
    });
}

function command(bots: Command, { environment }: Tools, name: string, description: string): Command {
  return bots
    .command(name)
    .description(description)
    .option(...serviceOptions.url, defaultUrl(environment))
    .option(...serviceOptions.token)
    .option(...jsonOption);
}
