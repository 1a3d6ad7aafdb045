import type { Sql } from "../../../src/platform/database/sql.ts";
import { responseOfChat, stateOfChat, variablesOfChat } from "./saved-step.ts";

/** The number of steps and answers of an inserted session. */
export const stepsPerSession = 2;
export const answersPerResult = 2;

/**
 * Inserts results of a bot that are at most a year old, with their sessions, steps and answers. Most results are
 * recent, and no session has expired. With `isVaried`, the values, questions and durations differ between results.
 */
export async function fillResults(
  sql: Sql,
  { botId, rows, isVaried = false }: { botId: string; rows: number; isVaried?: boolean },
): Promise<void> {
  const own = { id: "va3", name: "Email", value: "person-$@example.com" };
  const variables = JSON.stringify(isVaried ? [...variablesOfChat, own] : variablesOfChat);
  await sql`
    insert into results (shard, id, bot_id, variables, has_started, is_completed, created_at, updated_at)
    select shard, id, ${botId}::uuid, replace(${variables}::text, '$', number::text)::json, true, number % 3 = 0, created_at, created_at
    from (
      select
        number,
        shard,
        -- An id as ours: the time in front, the shard in the last ten bits.
        encode(
          substring(int8send((extract(epoch from created_at) * 1000)::bigint) from 3)
            || substring(uuid_send(gen_random_uuid()) from 1 for 8)
            || int2send((shard - (shard >= 32768)::integer * 65536)::smallint),
          'hex'
        )::uuid as id,
        created_at
      from (
        select
          number,
          (random() * 1023)::integer as shard,
          date_trunc('milliseconds', clock() - interval '365 days' * (number::float8 / ${rows}) ^ 3) as created_at
        from generate_series(1, ${rows}) as number
      ) as chosen
    ) as made`;
  await sql`
    insert into answers (shard, result_id, created_at, session_id, revision, position, bot_id, block_id, group_id, variable_id, content)
    select shard, id, created_at + ${isVaried}::integer * number * random() * interval '2 minutes', id, number + 1, 0, bot_id,
      'in' || number + ${isVaried}::integer * (random() * 10)::integer, 'gr' || number, 'va' || number, 'Bread and butter'
    from results, generate_series(1, ${answersPerResult}) as number
    where bot_id = ${botId}::uuid`;
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    select shard, id, bot_id, sha256('flow'), id, ${stepsPerSession}, ${stateOfChat}, 43200, expires_at, date_trunc('hour', expires_at), 'bot'
    from (
      select *, clock() + interval '1 day' + random() * interval '29 days' as expires_at
      from results
      where bot_id = ${botId}::uuid
    ) as open`;
  await sql`
    insert into steps (shard, session_id, revision, id, bot_id, request_hash, reply, response, created_at)
    select shard, id, number, gen_random_uuid(), bot_id, sha256('request'), '{"type":"text","text":"Bread and butter"}',
      ${responseOfChat}::text::json, created_at
    from sessions, generate_series(1, ${stepsPerSession}) as number
    where bot_id = ${botId}::uuid`;
  await sql`vacuum (analyze, freeze) results, answers, sessions, steps`;
  await sql`checkpoint`;
}
