import type { Tools } from "../command.ts";
import { openCalls } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";
import { eachBot } from "./each-bot.ts";

export async function archiveBots(tools: Tools, names: readonly string[], { json, ...options }: JsonServiceOptions) {
  const call = openCalls(options, tools.environment);
  await eachBot(tools, {
    ...{ call, names, json, among: "active" },
    async act(botId) {
      const { linkedFrom } = await call("POST /api/v1/bots/:botId/archive", { path: { botId } });
      return { linkedFrom };
    },
    words: ({ linkedFrom }) =>
      linkedFrom.length === 0 ? "archived" : `archived. These bots link to it: ${linkedFrom.map(nameOf).join(", ")}`,
  });
}

function nameOf({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${JSON.stringify(name)} (${id})`;
}

/**
 * Restores bots from the archive or the bin. `--json` prints the API's response for each bot, with the addresses that
 * the bot lost.
 */
export async function restoreBots(tools: Tools, names: readonly string[], { json, ...options }: JsonServiceOptions) {
  const call = openCalls(options, tools.environment);
  await eachBot(tools, {
    ...{ call, names, json, among: "restorable" },
    act: async (botId) => call("POST /api/v1/bots/:botId/restore", { path: { botId } }),
    words: ({ lostPublicId }) =>
      lostPublicId === null ? "restored" : `restored, without its public id ${lostPublicId}: another bot has it`,
  });
}
