import type { Tools } from "../command.ts";
import { openCalls } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";
import { eachBot } from "./each-bot.ts";

export type PublishOptions = JsonServiceOptions & {
  readonly note?: string;
  readonly percent?: number;
  readonly number?: number;
  readonly move?: true;
  readonly force?: true;
};

/**
 * Publishes drafts. `--json` prints `number`, `publicId`, `updatedAt` and `warnings` of the API's response for each
 * bot.
 */
export async function publishBots(
  tools: Tools,
  names: readonly string[],
  { json, note, percent, move, force, ...options }: PublishOptions,
): Promise<void> {
  const call = openCalls(options, tools.environment);
  const body = { note, percent, force, runningChats: move && ("move" as const) };
  await eachBot(tools, {
    ...{ call, names, json, among: "active" },
    async act(botId) {
      const { number, publicId, updatedAt, warnings } = await call("POST /api/v1/bots/:botId/publish", {
        path: { botId },
        body,
      });
      return { number, publicId, updatedAt, warnings };
    },
    words: ({ number, publicId, warnings }) => {
      const share = percent === undefined ? "" : ` for ${percent}% of new chats`;
      const findings = warnings.length === 1 ? "1 finding" : `${warnings.length} findings`;
      const hint = warnings.length === 0 ? "" : `, with ${findings}: see "parley lint"`;
      return `published version ${number}${share}, public id ${publicId}${hint}`;
    },
  });
}

export async function unpublishBots(
  tools: Tools,
  names: readonly string[],
  { json, ...options }: JsonServiceOptions,
): Promise<void> {
  const call = openCalls(options, tools.environment);
  await eachBot(tools, {
    ...{ call, names, json, among: "active" },
    async act(botId) {
      await call("POST /api/v1/bots/:botId/unpublish", { path: { botId } });
      return {};
    },
    words: () => "unpublished",
  });
}
