import { fromUuid, shardOf, toUuid } from "../ids.ts";
import type { Dialect } from "../threads/messages.ts";
import { flag, partsOf, type StepToSave } from "./save-steps.ts";
import type { Sql } from "./sql.ts";

/** A session's first step, with the session itself. */
export type StartToSave = StepToSave & {
  readonly flowHash: string;
  readonly publicationNumber: number | null;
  readonly allowedOrigins: readonly string[] | null;
  readonly lifetimeMinutes: number;
  readonly dialect: Dialect;
  readonly isAnonymous: boolean;
  /** Whom the idempotency key tells apart from others: a bot, or the path of a preview. */
  readonly scope: string;
  /** Names the claim that this start may hold on its key. */
  readonly seed: string;
};

/**
 * Saves many starts in one statement and returns the ids of the sessions that now exist. A start whose key was taken by
 * another one meanwhile leaves nothing behind.
 */
export async function saveStarts(sql: Sql, starts: readonly StartToSave[]): Promise<Set<string>> {
  const parts = partsOf(starts);
  const rows = await sql<{ id: string }[]>`
    with input as (
      select *
      from unnest(
        (select ${starts.map((start) => shardOf(start.sessionId))}::smallint[]),
        (select ${starts.map((start) => toUuid(start.sessionId))}::uuid[]),
        (select ${starts.map((start) => toUuid(start.botId))}::uuid[]),
        (select ${starts.map((start) => start.flowHash)}::text[]),
        (select ${starts.map((start) => start.publicationNumber)}::integer[]),
        (select ${starts.map((start) => start.resultId && toUuid(start.resultId))}::uuid[]),
        (select ${starts.map((start) => toUuid(start.stepId))}::uuid[]),
        (select ${starts.map((start) => start.state)}::text[]),
        (select ${starts.map((start) => flag(start.isEnded))}::text[]::boolean[]),
        (select ${starts.map((start) => start.allowedOrigins && JSON.stringify(start.allowedOrigins))}::text[]),
        (select ${starts.map((start) => start.lifetimeMinutes)}::integer[]),
        (select ${starts.map((start) => start.dialect)}::text[]),
        (select ${starts.map((start) => flag(start.isAnonymous))}::text[]::boolean[]),
        (select ${starts.map((start) => start.scope)}::text[]),
        (select ${starts.map((start) => start.key)}::text[]),
        (select ${starts.map((start) => start.seed)}::text[]),
        (select ${starts.map((start) => start.requestHash)}::text[]),
        (select ${starts.map((start) => start.reply)}::text[]),
        (select ${starts.map((start) => start.response)}::text[])
      ) as i (shard, id, bot_id, flow_hash, publication_number, result_id, step_id, state, is_ended, allowed_origins,
        lifetime_minutes, dialect, is_anonymous, scope, key, seed, request_hash, reply, response)
    ),
    keyed as (
      insert into start_keys as k (scope, key, request_hash, session_id, response)
      select i.scope, i.key, decode(i.request_hash, 'hex'), i.id, i.response::json
      from input i
      where i.key is not null
      order by i.scope, i.key
      on conflict (scope, key) do update
      set
        request_hash = excluded.request_hash,
        session_id = excluded.session_id,
        response = excluded.response,
        claim_until = null,
        created_at = clock()
      where k.created_at <= clock() - interval '24 hours'
        or (
          k.session_id is null
          and (k.claim_until <= clock() or exists (select from input i where i.id = excluded.session_id and i.seed = k.claim_seed))
        )
      returning k.session_id
    ),
    saved as (
      insert into sessions (shard, id, bot_id, flow_hash, publication_number, result_id, revision, last_step_id, state, is_ended,
        allowed_origins, lifetime_minutes, dialect, is_anonymous, expires_at, expires_hour)
      select i.shard, i.id, i.bot_id, decode(i.flow_hash, 'hex'), i.publication_number, i.result_id, 1, i.step_id, i.state, i.is_ended,
        (select array_agg(origin) from json_array_elements_text(i.allowed_origins::json) as origin),
        i.lifetime_minutes, i.dialect, i.is_anonymous,
        date_trunc('minute', clock()) + make_interval(mins => i.lifetime_minutes + 1),
        date_trunc('hour', clock() + make_interval(mins => i.lifetime_minutes + 61))
      from input i
      where i.key is null or i.id in (select session_id from keyed)
      returning shard, id, bot_id, revision
    ),
    step_rows as (
      insert into steps (shard, session_id, revision, id, bot_id, request_hash, reply, response)
      select s.shard, s.id, s.revision, i.step_id, s.bot_id, decode(i.request_hash, 'hex'), i.reply::json, i.response::json
      from saved s
      join input i on i.shard = s.shard and i.id = s.id
    )
    ${parts.results(sql)}
    ${parts.answers(sql)}
    ${parts.logs(sql)}
    ${parts.edges(sql)}
    ${parts.jobs(sql)}
    select id
    from saved`;
  return new Set(rows.map((row) => fromUuid(row.id)));
}

/** What is known of a start's key: its stored response, or a claim of a start under way. */
export type StartKeyRow = {
  readonly requestHash: string;
  readonly response: string | null;
  readonly isClaimLive: boolean;
  readonly claimNow: Date | null;
  readonly claimSeed: string | null;
};

/** The key's row, unless it is older than a day. */
export async function findStartKey(sql: Sql, scope: string, key: string): Promise<StartKeyRow | undefined> {
  const [row] = await sql<StartKeyRow[]>`
    select
      encode(request_hash, 'hex') as "requestHash",
      case when session_id is null then null else response::text end as response,
      coalesce(claim_until > clock(), false) as "isClaimLive",
      claim_now as "claimNow",
      claim_seed as "claimSeed"
    from start_keys
    where scope = ${scope} and key = ${key} and created_at > clock() - interval '24 hours'`;
  return row;
}

/** Claims a key for a start that is about to perform effects. False when another start has it. */
export async function claimStart(
  sql: Sql,
  claim: { scope: string; key: string; requestHash: string; now: Date; seed: string; seconds: number },
): Promise<boolean> {
  const rows = await sql`
    insert into start_keys as k (scope, key, request_hash, claim_now, claim_seed, claim_until)
    values (
      ${claim.scope}, ${claim.key}, decode(${claim.requestHash}, 'hex'), ${claim.now}, ${claim.seed},
      clock() + make_interval(secs => ${claim.seconds})
    )
    on conflict (scope, key) do update
    set
      request_hash = excluded.request_hash,
      claim_now = excluded.claim_now,
      claim_seed = excluded.claim_seed,
      claim_until = excluded.claim_until,
      session_id = null,
      response = null,
      created_at = clock()
    where k.created_at <= clock() - interval '24 hours'
      or (k.session_id is null and (k.claim_until <= clock() or k.claim_seed = excluded.claim_seed))
    returning 1`;
  return rows.length === 1;
}

/** Ends the claim of a start that came to nothing. Its clock and seed stay, for the same request when it comes again. */
export async function endStartClaim(sql: Sql, claim: { scope: string; key: string; seed: string }): Promise<void> {
  await sql`
    update start_keys
    set claim_until = clock()
    where scope = ${claim.scope} and key = ${claim.key} and session_id is null and claim_seed = ${claim.seed}`;
}
