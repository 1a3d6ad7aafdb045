import type { Command } from "commander";
import { type AddCommand, jsonOption, type Tools, wholeUpTo } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ChannelOptions } from "./channels.ts";

const notes = `
Enter a connection by its id or its name. "check" exits with code 1 if it finds a problem, and "enable" if a connection could not be enabled.`;

export const addChannels: AddCommand = (program, tools) => {
  const channels = program.command("channels").description("List, check, enable and test connections to messengers.");
  channels.addHelpText("after", notes);
  command(channels, tools, "list", "List the connections of the workspaces that the token can access.").action(
    async (options: ChannelOptions) => (await import("./channels.ts")).printConnections(tools, options),
  );
  command(channels, tools, "check", "Check with the messengers whether connections work.")
    .argument("[connection]", "the connection's id or name (default: all)")
    .action(async (connection: string | undefined, options: ChannelOptions) =>
      (await import("./channels.ts")).checkConnections(tools, connection, options),
    );
  command(channels, tools, "enable", "Enable connections, such as those of a restored backup.")
    .argument("[connection]", "the connection's id or name")
    .option("--all", "all disabled connections, except those that somebody disabled by hand")
    .action(async (connection: string | undefined, options: ChannelOptions & { readonly all?: true }) =>
      (await import("./channels.ts")).enableConnections(tools, connection, options),
    );
  channels
    .command("fake")
    .description("Run fake messengers, with a page that shows a phone, to test bots without an account.")
    .option("--port <port>", "the port of the page; the messengers use the following ports", wholeUpTo(65_533), 12_200)
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
