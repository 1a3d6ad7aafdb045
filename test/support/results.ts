import type { Sql } from "../../src/platform/database/sql.ts";
import { newId, shardOf } from "../../src/platform/ids.ts";

export type TestResult = {
  readonly createdAt?: string;
  readonly variables?: readonly unknown[];
  readonly hasStarted?: boolean;
  readonly isCompleted?: boolean;
  readonly version?: number;
  readonly answers?: readonly TestAnswer[];
};

export type TestAnswer = {
  readonly content: string;
  /** Defaults to `block-0` etc., by the answer's index. */
  readonly blockId?: string;
  readonly variableId?: string;
  readonly attachedFileUrls?: readonly string[];
};

/** Inserts a result with its answers, a session with one step, a log entry and a visited edge. */
export async function putResult(
  sql: Sql,
  botId: string,
  result: TestResult = {},
): Promise<{ resultId: string; sessionId: string }> {
  const resultId = newId();
  const shard = shardOf(resultId);
  const sessionId = newId(shard);
  const createdAt = result.createdAt ?? new Date().toISOString();
  await sql`
    insert into results (shard, id, bot_id, variables, has_started, is_completed, publication_number, created_at)
    values (
      ${shard}, ${resultId}, ${botId}, ${JSON.stringify(result.variables ?? [])}::text::json,
      ${result.hasStarted ?? false}, ${result.isCompleted ?? false}, ${result.version ?? null}, ${createdAt}
    )`;
  await putSession(sql, botId, { sessionId, resultId });
  for (const [index, answer] of (result.answers ?? []).entries()) {
    await sql`
      insert into answers (shard, result_id, created_at, session_id, revision, position, bot_id, block_id, group_id, variable_id, content, attached_file_urls)
      values (
        ${shard}, ${resultId}, ${createdAt}, ${sessionId}, ${index + 1}, 0, ${botId}, ${answer.blockId ?? `block-${index}`},
        ${`group-${index}`}, ${answer.variableId ?? null}, ${answer.content}, ${answer.attachedFileUrls ? [...answer.attachedFileUrls] : null}
      )`;
  }
  await sql`
    insert into logs (shard, result_id, id, bot_id, status, description)
    values (${shard}, ${resultId}, ${newId()}, ${botId}, 'info', 'A note')`;
  await sql`
    insert into visited_edges (shard, result_id, session_id, position, bot_id, edge_id)
    values (${shard}, ${resultId}, ${sessionId}, 0, ${botId}, 'edge')`;
  return { resultId, sessionId };
}

/** Inserts a session with one step. A session without a result belongs to a preview. */
export async function putSession(
  sql: Sql,
  botId: string,
  { sessionId = newId(), resultId = null }: { sessionId?: string; resultId?: string | null } = {},
): Promise<string> {
  const shard = shardOf(sessionId);
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    values (
      ${shard}, ${sessionId}, ${botId}, '\\x00', ${resultId}, 1, 'state', 60,
      clock() + interval '1 hour', clock() + interval '1 hour', 'bot'
    )`;
  await sql`
    insert into steps (shard, session_id, revision, id, bot_id, response)
    values (${shard}, ${sessionId}, 1, ${newId()}, ${botId}, '{}')`;
  return sessionId;
}

/** Inserts many results without content. */
export async function putResults(sql: Sql, botId: string, count: number): Promise<void> {
  await sql`
    insert into results (shard, id, bot_id)
    select ('x' || right(id::text, 3))::bit(12)::int & 1023, id, ${botId}
    from (select gen_random_uuid() as id from generate_series(1, ${count}::int)) as made`;
}

/** Returns the number of a bot's rows in each table with content of visitors. */
export async function countContent(sql: Sql, botId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ["sessions", "steps", "answers", "logs", "visited_edges"]) {
    const [row] = await sql<
      { count: number }[]
    >`select count(*)::int as count from ${sql(table)} where bot_id = ${botId}`;
    counts[table] = row?.count ?? 0;
  }
  return counts;
}
