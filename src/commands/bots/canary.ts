import { printJson, type Tools } from "../command.ts";
import { printTable } from "../output/table.ts";
import { openCalls } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";
import { findBot } from "./find-bot.ts";

export type CanaryOptions = JsonServiceOptions & {
  readonly percent?: number;
  readonly promote?: true;
  readonly rollback?: true;
  readonly move?: true;
};

/**
 * Shows or changes a bot's canary. `--json` prints the API's response: `{ "canary" }`, or `{ "message", "number" }` if
 * the canary has ended.
 */
export async function handleCanary(
  tools: Tools,
  name: string,
  { json, percent, promote, rollback, move, ...options }: CanaryOptions,
): Promise<void> {
  const call = openCalls(options, tools.environment);
  const path = { botId: await findBot(call, name) };
  if (promote || rollback) {
    const ended = promote
      ? await call("POST /api/v1/bots/:botId/canary/promote", { path, body: { runningChats: move && "move" } })
      : await call("POST /api/v1/bots/:botId/canary/rollback", { path });
    if (json) return printJson(tools, ended);
    const outcome = promote
      ? "is published for all visitors"
      : "is rolled back: new chats start on the published version";
    return tools.print(`${name}: version ${ended.number} ${outcome}\n`);
  }
  const { canary } =
    percent === undefined
      ? await call("GET /api/v1/bots/:botId/canary", { path })
      : await call("PATCH /api/v1/bots/:botId/canary", { path, body: { percent } });
  if (json) return printJson(tools, { canary });
  if (!canary) return tools.print(`${name} has no canary\n`);
  tools.print(`${name}: version ${canary.number} gets ${canary.percent}% of new chats\n`);
  const rows = canary.figures.map(({ number, isCanary, views, starts, completions }) => {
    return [number, isCanary ? "canary" : "published", views, starts, completions];
  });
  printTable(tools, ["VERSION", "IS", "VIEWS", "STARTED", "COMPLETED"], rows);
}
