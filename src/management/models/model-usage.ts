import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { type Caller, requireResult, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { listModelCalls as listRows } from "./model-calls.sql.ts";
import { listModelUsage, sumModelUsage, type UsageGroup, usageGroups } from "./model-usage.sql.ts";

export { usageGroups };

const dayMs = 86_400_000;

/**
 * Returns the cost of a workspace's model calls in a range of days, both inclusive. The default is the last 30 days.
 * Requires ADMIN or MEMBER.
 */
export async function getModelUsage(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: { readonly from?: string | undefined; readonly to?: string | undefined; readonly groupBy: UsageGroup },
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const [from, to] = [readDay("from", request.from), readDay("to", request.to)];
  const days = { from, to };
  const total = await sumModelUsage(deps.sql, { workspaceId, days });
  const count = (Date.parse(total.to) - Date.parse(total.from)) / dayMs + 1;
  if (count < 1) throw invalidInput([{ path: "from", message: "must not be later than `to`" }]);
  if (count > limits.modelBudgets.usageDays) {
    const message = `must be less than ${limits.modelBudgets.usageDays} days before to`;
    throw invalidInput([{ path: "from", message }]);
  }
  const limit = limits.modelBudgets.usageRows;
  const rows = await listModelUsage(deps.sql, { workspaceId, groupBy: request.groupBy, days, limit });
  return { usage: rows, total };
}

/** Returns the calls of a result, newest first. Requires the right to read the result. */
export async function listModelCalls(
  deps: ManagementDependencies,
  caller: Caller,
  place: { readonly botId: string; readonly resultId: string },
  request: PageRequest,
) {
  await requireResult(deps, caller, place);
  const { resultId } = place;
  const page = readPage("model-calls", { ...request, limit: request.limit ?? limits.modelBudgets.callsPageSize }, [
    resultId,
  ]);
  const found = await listRows(deps.sql, { resultId, ...page.part });
  const { rows: modelCalls, ...rest } = cutPage({ rows: found, page });
  return { modelCalls, ...rest };
}

/** Parses a day such as `2026-11-22`; null if there is no day. */
function readDay(path: string, day: string | undefined): string | null {
  if (day === undefined) return null;
  const time = Date.parse(`${day}T00:00:00.000Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
  if (isDay && time >= 0) return day;
  throw invalidInput([{ path, message: "must be a day such as 2026-11-22" }]);
}
