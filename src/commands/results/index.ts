import { InvalidArgumentError } from "commander";
import type { AddCommand } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ExportOptions } from "./export.ts";

const notes = `
Without --format the ending of the file says it (.csv, .ndjson, .xlsx), else it is CSV. With --job the service makes the file first and this
command waits for it and says how far it is: for very many results, or a line that breaks.`;

export const addResults: AddCommand = (program, tools) => {
  const results = program.command("results").description("Work with what visitors said.");
  results
    .command("export")
    .description("Write a bot's results to a file, or to standard output.")
    .argument("<bot>", "its id")
    .argument("[file]", "where to; it is replaced")
    .option("--format <format>", "csv, ndjson or xlsx")
    .option("--from <time>", "that began at this moment or later, such as 2026-03-01T00:00:00Z")
    .option("--to <time>", "that began before this moment")
    .option("--completed", "whose chats came to their end")
    .option("--tag <tag>", "that have this tag")
    .option("--variable <name=value>", "whose variable has this value; may be given several times", readVariable, {})
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
