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
 * Returns the parts of a save that store traces. Only previews are traced. The parts are empty if no step of the batch
 * is traced, so that the statement can be reused.
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

/** A step with its trace as JSON text. The trace is null in a session without traces, and for a step that went back. */
export type TracedStepRow = {
  readonly revision: number;
  readonly createdAt: Date;
  readonly wentBackTo: number | null;
  readonly trace: string | null;
};

/** Lists the steps of a session after a given step, in order, with their traces. */
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

/** Whether a session is traced. In a traced session, the start has a trace. */
export async function isTraced(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    select
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision = 1 and trace is not null`;
  return rows.length === 1;
}
