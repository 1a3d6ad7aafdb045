import { type Command, InvalidArgumentError } from "commander";
import { type AddCommand, jsonOption, type Tools, wholeNumber } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ExportOptions } from "./export.ts";
import type { ListOptions } from "./list.ts";
import type { WatchOptions } from "./watch.ts";

const exportNotes = `
Without --format the file's extension decides (.csv, .ndjson, .xlsx), else the format is CSV. With --job the service makes the file first, and
this command waits for it and shows the progress: for very many results, or a connection that breaks.`;

const watchNotes = `
A line appears when a chat starts, when its first answer arrives, and when it is complete. --json prints one JSON object a line: { "event", "result" }.
The watch follows the newest 100 results, and continues after the service was away. Ctrl C ends it.`;

export const addResults: AddCommand = (program, tools) => {
  const results = program.command("results").description("Work with the answers of visitors.");

  filtered(results, tools, "export", "Write a bot's results to a file, or to standard output.")
    .argument("[file]", "the file to write; an existing one is replaced")
    .option("--format <format>", "csv, ndjson or xlsx")
    .option("--unguarded", "CSV for a program: without apostrophes before what a spreadsheet takes for a formula")
    .option("--allow-partial", "with --variable: do not wait until all results are found by their values, and say so")
    .option("--job", "let a job of the service make the file, and wait for it")
    .addHelpText("after", exportNotes)
    .action(async (bot: string, file: string | undefined, options: ExportOptions) => {
      await (await import("./export.ts")).exportResults(bot, file, options, tools);
    });

  filtered(results, tools, "list", "List a bot's results, newest first.")
    .option("--limit <n>", "how many at most", wholeNumber, 50)
    .option(...jsonOption)
    .action(async (bot: string, options: ListOptions) => (await import("./list.ts")).printResults(tools, bot, options));

  filtered(results, tools, "watch", "Print new results as they arrive.")
    .option("--every <seconds>", "the pause between two looks", wholeNumber, 2)
    .option("--count <n>", "end after this many lines", wholeNumber)
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
    .argument("<bot>", "its id, public id or name")
    .option("--from <time>", "only those that began at this time or later, such as 2026-03-01T00:00:00Z")
    .option("--to <time>", "only those that began before this time")
    .option("--completed", "only those whose chats are complete")
    .option("--publication <number>", "only those that began on this version", wholeNumber)
    .option("--tag <tag>", "only those with this tag")
    .option("--variable <name=value>", "only those whose variable has this value; may be repeated", readVariable)
    .option(...serviceOptions.url, defaultUrl(environment))
    .option(...serviceOptions.token);
}

function readVariable(text: string, before: Variables = {}): Variables {
  const end = text.indexOf("=");
  if (end < 1) throw new InvalidArgumentError("Expected a name, = and a value.");
  return { ...before, [text.slice(0, end)]: text.slice(end + 1) };
}
