import { printJson, type Tools } from "../command.ts";
import { printTable, timeText } from "../output/table.ts";
import { openCalls } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";
import { findWorkspace } from "./find-bot.ts";

export type ProblemsOptions = JsonServiceOptions & { readonly workspace?: string };

/**
 * Prints the errors of a workspace's bots. The bot with the most errors in the last day comes first. `--json` prints
 * the API's response.
 */
export async function printProblems(tools: Tools, { json, workspace, ...options }: ProblemsOptions): Promise<void> {
  const call = openCalls(options, tools.environment);
  const workspaceId = await findWorkspace(call, { name: workspace, url: options.url });
  const answer = await call("GET /api/v1/workspaces/:workspaceId/problems", { path: { workspaceId } });
  if (json) return printJson(tools, answer);
  if (answer.bots.length === 0) return tools.print("No chat of the last 7 days had an error.\n");
  const rows = answer.bots.flatMap(({ botName, lastDay, lastWeek, problems }) =>
    problems.map((problem) => [
      botName,
      problem.groupTitle,
      problem.blockName ?? problem.blockId,
      problem.reason,
      `${problem.lastDay.chats} of ${lastDay.chats}`,
      `${problem.lastWeek.chats} of ${lastWeek.chats}`,
      problem.lastSeenAt && timeText(problem.lastSeenAt),
      problem.lastResultId,
    ]),
  );
  printTable(tools, ["BOT", "GROUP", "BLOCK", "REASON", "CHATS OF A DAY", "OF A WEEK", "LAST", "RESULT"], rows);
}
