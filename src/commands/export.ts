import type { AddCommand } from "./command.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "./service-options.ts";

export const addExport: AddCommand = (program, { environment, print, tell }) => {
  program
    .command("export")
    .description("Write a bot's draft to a file, or to standard output.")
    .argument("<bot>", "the bot's id, public id or name")
    .argument("[file]", "the file to write; an existing file is replaced")
    .option(...serviceOptions.url, defaultUrl(environment))
    .option(...serviceOptions.token)
    .addHelpText(
      "after",
      "\n`parley import` reads the file, at this or another service. Other programs that support the format can read it as well.",
    )
    .action(async (bot: string, file: string | undefined, options: ServiceOptions) => {
      const { openCalls } = await import("./service.ts");
      const { findBot } = await import("./bots/find-bot.ts");
      const call = openCalls(options, environment);
      const { settingsFromDialect } = await import("../core/flow/dialect.ts");
      const exported = await call("GET /api/v1/bots/:botId/export", { path: { botId: await findBot(call, bot) } });
      // The file uses the field names of the exchange format, which other programs read.
      const content = { ...exported, settings: settingsFromDialect("bot", { ...exported.settings }) };
      const text = `${JSON.stringify(content, undefined, 2)}\n`;
      if (file === undefined || file === "-") return print(text);
      const { StartError } = await import("../config.ts");
      await Bun.write(file, text).catch((error: Error) => {
        throw new StartError(`${file} cannot be written: ${error.message}`, { cause: error });
      });
      tell(`Exported to ${file}.`);
    });
};
