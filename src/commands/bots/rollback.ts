import { StartError } from "../../config.ts";
import type { Tools } from "../command.ts";
import { type Call, openCalls } from "../service.ts";
import { eachBot } from "./each-bot.ts";
import type { PublishOptions } from "./publish.ts";
import { listVersions } from "./show.ts";

/**
 * Publishes earlier versions again. `--json` prints for each bot `from` (the version that was live), `to` (the earlier
 * version), `number` (the new version) and `publicId`.
 */
export async function rollBackBots(
  tools: Tools,
  names: readonly string[],
  { json, note, move, number: wanted, ...options }: PublishOptions,
): Promise<void> {
  const call = openCalls(options, tools.environment);
  await eachBot(tools, {
    ...{ call, names, json, among: "active" },
    async act(botId) {
      const { from, to } = await choose(call, botId, wanted);
      const { number, publicId } = await call("POST /api/v1/bots/:botId/publications/:number/publish", {
        path: { botId, number: String(to) },
        body: { note: note ?? `Back to version ${to}`, runningChats: move && "move" },
      });
      return { from, to, number, publicId };
    },
    words: ({ from, to, number }) =>
      `rolled back from version ${from} to version ${to}, published as version ${number}`,
  });
}

/**
 * Returns the published version and the version to publish again. The default is the newest earlier version that was
 * live for visitors and has a different flow. Throws a StartError if the bot is not published or has no such version.
 */
async function choose(call: Call, botId: string, wanted: number | undefined): Promise<{ from: number; to: number }> {
  const versions = await listVersions(call, botId);
  const current = versions.find(({ isCurrent }) => isCurrent);
  if (!current) throw new StartError("This bot is not published, so there is nothing to roll back.");
  if (wanted !== undefined) return { from: current.number, to: wanted };
  const earlier = versions.find((one) => {
    return one.number < current.number && !one.isDraft && !one.isOnlyCanary && one.hash !== current.hash;
  });
  if (!earlier) throw new StartError(`Version ${current.number} has no earlier version that differs from it.`);
  return { from: current.number, to: earlier.number };
}
