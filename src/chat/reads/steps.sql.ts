import { isJsonObject, valueAt } from "../../core/interpreter/flow.ts";
import type { SpokenStep } from "../../effects/effect-context.ts";
import { awaitStandbys } from "../../platform/database/outages/standbys.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { listSteps } from "./sessions.sql.ts";

/**
 * Lists the current conversation, newest step first: the session's last `limit` steps, without steps that the visitor
 * undid. A step that goes back is not included, because it only restores the earlier conversation. `upTo`: the
 * conversation as of this step.
 */
export async function listStandingSteps(
  sql: Sql,
  sessionId: string,
  limit: number,
  upTo = Number.POSITIVE_INFINITY,
): Promise<SpokenStep[]> {
  const steps = await listSteps(sql, sessionId, limit);
  const standing: SpokenStep[] = [];
  let last = upTo;
  for (const step of steps) {
    if (step.revision > last) continue;
    if (step.wentBackTo === null) standing.push(withoutRepeated(step));
    last = step.wentBackTo ?? step.revision;
  }
  return standing;
}

/** Whether a conversation includes its first step, which is never undone. */
export function hasStart(steps: readonly Pick<SpokenStep, "revision">[]): boolean {
  return steps.some(({ revision }) => revision === 1);
}

/** Removes the messages of earlier steps, which a response repeats for a client that was not shown them. */
function withoutRepeated(step: SpokenStep): SpokenStep {
  const { response } = step;
  const repeated = valueAt(response, "repeated");
  if (!isJsonObject(response) || !isJsonObject(repeated)) return step;
  const cut = (part: string) => {
    const [list, count] = [response[part], repeated[part]];
    return { [part]: Array.isArray(list) && typeof count === "number" ? list.slice(count) : list };
  };
  return { ...step, response: { ...response, ...cut("messages"), ...cut("clientSideActions") } };
}

/** Finds the step of a session that was saved under this key, if any. Its response is text. */
export async function findStepWithKey(
  sql: Sql,
  { sessionId, key }: { sessionId: string; key: string },
): Promise<{ revision: number; response: string } | undefined> {
  const [step] = await sql<{ revision: number; response: string }[]>`
    select revision, response::text as response
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and key = ${key}`;
  return step;
}

/** Lists the steps of a session after a revision, in order. */
export async function listStepsAfter(
  sql: Sql,
  sessionId: string,
  { revision, limit }: { revision: number; limit: number },
): Promise<SpokenStep[]> {
  return sql<SpokenStep[]>`
    select revision, reply, response, created_at, went_back_to
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision > ${revision}
    order by revision
    limit ${limit}`;
}

/**
 * Lists the recorded inputs of a session's steps by revision, as text (`core/replay/inputs.ts`), up to a total size in
 * bytes.
 */
export async function listInputs(
  sql: Sql,
  sessionId: string,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ revision: number; inputs: string }[]>`
    select revision, inputs
    from (
      select revision, inputs, sum(octet_length(inputs)) over (order by revision) as kept_bytes
      from steps
      where shard = ${shardOf(sessionId)} and session_id = ${sessionId}
      order by revision
      limit ${limit}
    ) as first
    where inputs is not null and kept_bytes <= ${bytes}`;
  return new Map(rows.map(({ revision, inputs }) => [revision, inputs]));
}

/** Lists the recorded inputs of a session's steps by revision, as text, starting at a step. */
export async function listInputsFrom(
  sql: Sql,
  sessionId: string,
  { revision, limit }: { revision: number; limit: number },
): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ revision: number; inputs: string }[]>`
    select revision, inputs
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and revision >= ${revision} and inputs is not null
    order by revision
    limit ${limit}`;
  return new Map(rows.map(({ revision: at, inputs }) => [at, inputs]));
}

/** Whether this step was saved after this revision and has reached the standbys. Later steps may have followed. */
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
  if (rows.length !== 1) return false;
  await awaitStandbys(sql);
  return true;
}
