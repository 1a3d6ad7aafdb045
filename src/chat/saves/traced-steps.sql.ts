import { bulk, json, uuid } from "../../platform/database/bulk.ts";
import { type Fragment, nothing } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import type { StepToSave } from "./records.ts";

const traceRows = bulk<StepToSave>({
  session_id: uuid(({ sessionId }) => sessionId),
  trace: json(({ traceText }) => traceText),
});

/**
 * The parts of a save that store traces. They are empty when no step of the batch is traced, so that the statement
 * stays the same; only previews are traced.
 */
export function tracedSteps(steps: readonly StepToSave[]): {
  readonly list: Fragment;
  readonly column: Fragment;
  readonly value: Fragment;
} {
  const traced = steps.filter(({ traceText }) => traceText !== undefined);
  if (traced.length === 0) return { list: nothing, column: nothing, value: nothing };
  return {
    list: (sql) => sql`
    traced as (
      select *
      from ${traceRows(sql, traced)} as i
    ),`,
    column: (sql) => sql`, trace`,
    value: (sql) => sql`, (select t.trace from traced t where t.session_id = saved.id)`,
  };
}

/** The trace of one step as JSON text; null in a session without traces, and for a step that went back. */
export type TracedStepRow = {
  readonly revision: number;
  readonly createdAt: Date;
  readonly wentBackTo: number | null;
  readonly trace: string | null;
};

/** The steps of a session after a given step, in order, each with its trace. */
export async function listTracedSteps(
  sql: Sql,
  sessionId: string,
  { after, limit }: { after: number; limit: number },
): Promise<TracedStepRow[]> {
  return sql<TracedStepRow[]>`
    select revision, created_at, went_back_to, trace
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision > ${after}
    order by revision
    limit ${limit}`;
}

/** Whether a session's start was traced, and so all its steps. */
export async function isTraced(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    select
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision = 1 and trace is not null`;
  return rows.length === 1;
}
