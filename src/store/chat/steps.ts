import { shardOf } from "../../ids.ts";
import type { Sql } from "../database/sql.ts";
import type { SpokenStep } from "./sessions.ts";

/** The steps of a session that came after one, in order. */
export async function listStepsAfter(
  sql: Sql,
  sessionId: string,
  { revision, limit }: { revision: number; limit: number },
): Promise<SpokenStep[]> {
  return sql<SpokenStep[]>`
    select revision, reply, response, created_at
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision > ${revision}
    order by revision
    limit ${limit}`;
}

/** Whether this step was saved as the one after this revision, whatever came after it. */
export async function isStepSaved(
  sql: Sql,
  { sessionId, revision, stepId }: { sessionId: string; revision: number; stepId: string },
): Promise<boolean> {
  const rows = await sql`
    select
    from steps
    where shard = ${shardOf(sessionId)}
      and session_id = ${sessionId}
      and revision = ${revision + 1}
      and id = ${stepId}`;
  return rows.length === 1;
}
