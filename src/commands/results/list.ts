import type { Answer } from "../../web/app/api/call.ts";
import { listAt, textAt } from "../../web/conversation/read.ts";
import { findBot } from "../bots/find-bot.ts";
import { printJson, type Tools } from "../command.ts";
import { printTable, timeText } from "../output/table.ts";
import { openCalls, openService, type Service } from "../service.ts";
import { type FilterOptions, filterQuery } from "./filter.ts";

export type Result = Answer<"GET /api/v1/bots/:botId/results">["results"][number];

export type ListOptions = FilterOptions & { readonly limit: number; readonly json?: true };

/** The maximum number of results in one response of the service. */
export const pageSize = 100;

/** Prints the newest results that match a filter. `--json` prints the entries of the API's list. */
export async function printResults(tools: Tools, bot: string, { limit, json, ...options }: ListOptions): Promise<void> {
  const botId = await findBot(openCalls(options, tools.environment), bot);
  const ask = openService(options, tools.environment);
  const results: Result[] = [];
  for await (const page of pagesOf(ask, botId, filterQuery(options))) {
    results.push(...page);
    if (results.length >= limit) break;
  }
  const shown = results.slice(0, limit);
  if (json) return printJson(tools, { results: shown });
  const rows = shown.map((result) => {
    const { createdAt, id, publicationNumber } = result;
    return [timeText(createdAt), id, String(publicationNumber ?? "–"), stateOf(result), valuesOf(result)];
  });
  printTable(tools, ["STARTED AT", "ID", "VERSION", "STATE", "VARIABLES"], rows);
}

/** Yields pages of results, newest first. The query may contain any variable name, so it cannot be typed. */
export async function* pagesOf(ask: Service, botId: string, query: URLSearchParams): AsyncGenerator<Result[], void> {
  const page = new URLSearchParams({ timeFilter: "allTime", limit: String(pageSize), ...Object.fromEntries(query) });
  for (;;) {
    const answer = await ask("GET", `/api/v1/bots/${botId}/results?${page}`);
    yield listAt(answer, "results").filter(isResult);
    const cursor = textAt(answer, "nextCursor");
    if (cursor === undefined) return;
    page.set("cursor", cursor);
  }
}

function isResult(value: unknown): value is Result {
  return textAt(value, "id") !== undefined && textAt(value, "createdAt") !== undefined;
}

export function stateOf({ isCompleted, hasStarted }: Result): "completed" | "answered" | "started" {
  if (isCompleted) return "completed";
  return hasStarted ? "answered" : "started";
}

/** Formats the variables of a result in one line. */
export function valuesOf({ variables }: Result): string {
  return variables.map(({ name, value }) => `${name}: ${[value].flat().join(", ")}`).join("; ");
}
