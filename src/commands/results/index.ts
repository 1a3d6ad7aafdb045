import { type Command, InvalidArgumentError } from "commander";
import { type AddCommand, jsonOption, type Tools, wholeNumber } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ExportOptions } from "./export.ts";
import type { ListOptions } from "./list.ts";
import type { WatchOptions } from "./watch.ts";

const exportNotes = `
Without --format, the file's extension decides (.csv, .ndjson, .xlsx); otherwise the format is CSV. With --job, the service first creates the file,
and this command waits for it and shows the progress. This is for very many results, or an unstable connection.`;

const watchNotes = `
A line is printed when a chat starts, when its first answer arrives, and when it is complete. --json prints one JSON object per line: { "event", "result" }.
The watch follows the newest 100 results, and continues after the service was unavailable. Ctrl-C ends it.`;

export const addResults: AddCommand = (program, tools) => {
  const results = program.command("results").description("Work with the answers of visitors.");

  filtered(results, tools, "export", "Write a bot's results to a file, or to standard output.")
    .argument("[file]", "the file to write; an existing file is replaced")
    .option("--format <format>", "csv, ndjson or xlsx")
    .option(
      "--unguarded",
      "CSV for a program: without apostrophes before text that a spreadsheet would interpret as a formula",
    )
    .option("--allow-partial", "with --variable: do not wait until the index contains all results, and report this")
    .option("--job", "let a job of the service create the file, and wait for it")
    .addHelpText("after", exportNotes)
    .action(async (bot: string, file: string | undefined, options: ExportOptions) => {
      await (await import("./export.ts")).exportResults(bot, file, options, tools);
    });

  filtered(results, tools, "list", "List a bot's results, newest first.")
    .option("--limit <n>", "maximum number of results", wholeNumber, 50)
    .option(...jsonOption)
    .action(async (bot: string, options: ListOptions) => (await import("./list.ts")).printResults(tools, bot, options));

  filtered(results, tools, "watch", "Print new results as they arrive.")
    .option("--every <seconds>", "the pause between two checks", wholeNumber, 2)
    .option("--count <n>", "end after this number of lines", wholeNumber)
    .option(...jsonOption)
    .addHelpText("after", watchNotes)
    .action(async (bot: string, options: WatchOptions) =>
      (await import("./watch.ts")).watchResults(tools, bot, options),
    );
};

type Variables = Readonly<Record<string, string>>;

/** Adds a command with the options that filter the results of one bot. */
function filtered(results: Command, { environment }: Tools, name: string, description: string): Command {
  return results
    .command(name)
    .description(description)
    .argument("<bot>", "the bot's id, public id or name")
    .option("--from <time>", "only results that started at this time or later, such as 2026-03-01T00:00:00Z")
    .option("--to <time>", "only results that started before this time")
    .option("--completed", "only results whose chats are complete")
    .option("--publication <number>", "only results that started on this version", wholeNumber)
    .option("--tag <tag>", "only results with this tag")
    .option("--variable <name=value>", "only results whose variable has this value; may be repeated", readVariable)
    .option(...serviceOptions.url, defaultUrl(environment))
    .option(...serviceOptions.token);
}

function readVariable(text: string, before: Variables = {}): Variables {
  const end = text.indexOf("=");
  if (end < 1) throw new InvalidArgumentError("Expected a name, = and a value.");
  return { ...before, [text.slice(0, end)]: text.slice(end + 1) };
}
