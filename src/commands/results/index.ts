import { InvalidArgumentError } from "commander";
import type { AddCommand } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ExportOptions } from "./export.ts";

const notes = `
Without --format the file's extension decides (.csv, .ndjson, .xlsx), else the format is CSV. With --job the service makes the file first, and
this command waits for it and shows the progress: for very many results, or a connection that breaks.`;

export const addResults: AddCommand = (program, tools) => {
  const results = program.command("results").description("Work with the answers of visitors.");
  results
    .command("export")
    .description("Write a bot's results to a file, or to standard output.")
    .argument("<bot>", "its id")
    .argument("[file]", "the file to write; an existing one is replaced")
    .option("--format <format>", "csv, ndjson or xlsx")
    .option("--from <time>", "only those that began at this time or later, such as 2026-03-01T00:00:00Z")
    .option("--to <time>", "only those that began before this time")
    .option("--completed", "only those whose chats are complete")
    .option("--tag <tag>", "only those with this tag")
    .option("--variable <name=value>", "only those whose variable has this value; may be repeated", readVariable, {})
    .option("--job", "let a job of the service make the file, and wait for it")
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .addHelpText("after", notes)
    .action(async (bot: string, file: string | undefined, options: ExportOptions) => {
      const { exportResults } = await import("./export.ts");
      await exportResults(bot, file, options, tools);
    });
};

function readVariable(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const end = text.indexOf("=");
  if (end < 1) throw new InvalidArgumentError("Expected a name, = and a value.");
  return { ...before, [text.slice(0, end)]: text.slice(end + 1) };
}
