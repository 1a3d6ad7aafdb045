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
 * The parts of a save that keep what traced steps did. Empty, so that the statement is the same as ever, where no step of the batch is
 * traced: only previews are.
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

/** What one step did, as JSON text; null for one of a session that is not traced, and for one with which its visitor went back. */
export type TracedStepRow = {
  readonly revision: number;
  readonly createdAt: Date;
  readonly wentBackTo: number | null;
  readonly trace: string | null;
};

/** The steps of a session that came after one, in order, each with what it did. */
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

/** Whether a session's start was traced, and so all that came after it. */
export async function isTraced(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    select
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision = 1 and trace is not null`;
  return rows.length === 1;
}
