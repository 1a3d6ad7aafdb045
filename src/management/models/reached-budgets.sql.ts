import type { EventContent } from "../../events.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { type BudgetAmounts, type ModelBudget, ofWorkspace } from "./model-settings.sql.ts";

export type ReachedBudget = {
  readonly workspaceId: string;
  readonly botId: string | null;
  readonly period: keyof ModelBudget;
  readonly unit: keyof BudgetAmounts;
  readonly percent: number;
  readonly budget: number;
  readonly spent: number;
  /** The first day of the period. */
  readonly since: string;
};

/** Returns the key of a budget, and the mark of a notified share. Marks sort by period, and then by share. */
export function budgetMark({
  period,
  unit,
  percent,
  since,
}: Pick<ReachedBudget, "period" | "unit" | "percent" | "since">) {
  return { key: `${period}.${unit}`, mark: `${since} ${String(percent).padStart(3, "0")}` };
}

/**
 * Notifies the workspace's endpoints that a share of a budget is spent, once for each share and period across all
 * processes.
 */
export async function notifyBudget(sql: Sql, reached: ReachedBudget): Promise<void> {
  const { workspaceId, botId, period, unit, percent, budget, spent, since } = reached;
  const { key, mark } = budgetMark(reached);
  const type = "budget.reached";
  const content: EventContent<typeof type> = {
    scope: botId === null ? "workspace" : "bot",
    period,
    since,
    unit,
    percent,
    budget,
    spent,
  };
  await sql`
    with told as (
      update model_spending
      set told = told || jsonb_build_object(${key}::text, ${mark}::text)
      where workspace_id = ${workspaceId}
        and bot_id = ${botId ?? ofWorkspace}
        and coalesce(told ->> ${key}::text, '') collate "C" < ${mark}::text
      returning 1
    )
    insert into event_deliveries (id, endpoint_id, type, bot_id, order_key, content)
    select new_id(), event_endpoints.id, ${type}, ${botId}::uuid, new_id(), ${JSON.stringify(content)}::text::json
    from told
    cross join event_endpoints
    where event_endpoints.workspace_id = ${workspaceId}
      and event_endpoints.is_enabled
      and ${type} = any(event_endpoints.event_types)`;
}
