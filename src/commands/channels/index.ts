import type { Command } from "commander";
import { type AddCommand, jsonOption, type Tools, wholeUpTo } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ChannelOptions } from "./channels.ts";

const notes = `
A connection is named by its id or its name. "check" ends with exit code 1 where something is wrong, "enable" where one could not be enabled.`;

export const addChannels: AddCommand = (program, tools) => {
  const channels = program
    .command("channels")
    .description("List, check and enable connections to messengers, or try them out.");
  channels.addHelpText("after", notes);
  command(channels, tools, "list", "List the connections of the workspaces that the token sees.").action(
    async (options: ChannelOptions) => (await import("./channels.ts")).printConnections(tools, options),
  );
  command(channels, tools, "check", "Ask messengers whether connections work.")
    .argument("[connection]", "its id or name (default: all)")
    .action(async (connection: string | undefined, options: ChannelOptions) =>
      (await import("./channels.ts")).checkConnections(tools, connection, options),
    );
  command(channels, tools, "enable", "Enable connections, such as those of a restored backup.")
    .argument("[connection]", "its id or name")
    .option("--all", "all that are disabled, but not those that somebody disabled by hand")
    .action(async (connection: string | undefined, options: ChannelOptions & { readonly all?: true }) =>
      (await import("./channels.ts")).enableConnections(tools, connection, options),
    );
  channels
    .command("fake")
    .description("Run fake messengers, with a page that is a phone, to try bots without an account.")
    .option("--port <port>", "the port of the page; messengers have the next ones", wholeUpTo(65_533), 12_200)
    .action(async (options: { readonly port: number }) => (await import("./fake.ts")).runFakes(tools, options));
};

function command(channels: Command, tools: Tools, name: string, description: string): Command {
  return channels
    .command(name)
    .description(description)
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option("--workspace <id or name>", "only this workspace (default: all)")
    .option(...jsonOption);
}
