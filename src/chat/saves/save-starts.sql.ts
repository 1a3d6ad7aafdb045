import { limits } from "../../limits/index.ts";
import { chatVariables, hasEventEndpoints } from "../../management/events/save-events.sql.ts";
import {
  boolean,
  bulkOrOne,
  bulkValues,
  hex,
  integer,
  json,
  smallint,
  text,
  textList,
  uuid,
} from "../../platform/database/bulk.ts";
import { endedClaim } from "../../platform/database/ended-claim.ts";

import { createRepeated } from "../../platform/database/fragment.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { channelStarts } from "./channel-steps.sql.ts";
import type { Beside, StartToSave } from "./records.ts";
import {
  causesEvents,
  isPlain,
  optionalParts,
  ownColumns,
  type StepWithOwnRows,
  withOwnRows,
} from "./save-parts.sql.ts";
import { timedSessions, untimed } from "./timers.sql.ts";
import { tracedSteps } from "./traced-steps.sql.ts";

const startColumns = {
  shard: smallint(({ step }: StepWithOwnRows<StartToSave>) => shardOf(step.sessionId)),
  id: uuid(({ step }: StepWithOwnRows<StartToSave>) => step.sessionId),
  bot_id: uuid(({ step }: StepWithOwnRows<StartToSave>) => step.botId),
  flow_hash: hex(({ step }: StepWithOwnRows<StartToSave>) => step.flowHash),
  publication_number: integer(({ step }: StepWithOwnRows<StartToSave>) => step.publicationNumber),
  result_id: uuid(({ step }: StepWithOwnRows<StartToSave>) => step.resultId),
  step_id: uuid(({ step }: StepWithOwnRows<StartToSave>) => step.stepId),
  state: json(({ step }: StepWithOwnRows<StartToSave>) => step.state),
  is_ended: boolean(({ step }: StepWithOwnRows<StartToSave>) => step.isEnded),
  cached_public_id: text(({ step }: StepWithOwnRows<StartToSave>) => step.cachedPublicId),
  has_event_endpoints: boolean(({ step }: StepWithOwnRows<StartToSave>) => step.hasEventEndpoints),
  allowed_origins: textList(({ step }: StepWithOwnRows<StartToSave>) => step.allowedOrigins),
  lifetime_minutes: integer(({ step }: StepWithOwnRows<StartToSave>) => step.lifetimeMinutes),
  dialect: text(({ step }: StepWithOwnRows<StartToSave>) => step.dialect),
  is_anonymous: boolean(({ step }: StepWithOwnRows<StartToSave>) => step.isAnonymous),
  previewed_by: uuid(({ step }: StepWithOwnRows<StartToSave>) => step.previewedBy),
  // The public id of a start with a key is appended after a space, because each additional parameter costs time at
  // every start.
  scope: text(({ step }: StepWithOwnRows<StartToSave>) =>
    step.publicId === null ? step.scope : `${step.scope} ${step.publicId}`,
  ),
  key: text(({ step }: StepWithOwnRows<StartToSave>) => step.key),
  request_hash: hex(({ step }: StepWithOwnRows<StartToSave>) => step.requestHash),
  reply: json(({ step }: StepWithOwnRows<StartToSave>) => step.reply),
  response: json(({ step }: StepWithOwnRows<StartToSave>) => step.response),
  inputs: json(({ step }: StepWithOwnRows<StartToSave>) => step.inputs),
  ...ownColumns,
};

const startRows = bulkOrOne<StepWithOwnRows<StartToSave>>(startColumns);
const valuesOf = bulkValues<StepWithOwnRows<StartToSave>>(startColumns);

type Saved = { readonly index: number };

/** The statements without optional parts, for a single start and for several starts. */
const createPlain = () => ({ one: createRepeated<Saved>(), several: createRepeated<Saved>() });
const plain = { alone: createPlain(), besideOlder: createPlain() };

/**
 * Saves many starts in one statement, and returns the ids of the saved sessions. A start writes nothing if another
 * start has taken its key in the meantime, or if its cached bot is outdated.
 */
export async function saveStarts(
  sql: Sql,
  starts: readonly StartToSave[],
  { isBesideOlder }: Beside = { isBesideOlder: false },
): Promise<Set<string>> {
  const beside = isBesideOlder ? "besideOlder" : "alone";
  const rows = starts.map(withOwnRows);
  const saved =
    rows.every(isPlain) && !causesEvents(rows) && starts.every(({ key }) => key === null)
      ? await savePlain(sql, rows, beside)
      : await writeStarts(sql, rows, beside);
  const savedIds = new Set<string>();
  for (const { index } of saved) {
    const start = starts[index - 1];
    if (start) savedIds.add(start.sessionId);
  }
  return savedIds;
}

function savePlain(
  sql: Sql,
  rows: readonly StepWithOwnRows<StartToSave>[],
  beside: keyof typeof plain,
): Promise<readonly Saved[]> {
  const count = rows.length > 1 ? "several" : "one";
  return plain[beside][count].run(sql, valuesOf(rows), () => writeStarts(sql, rows, beside));
}

function writeStarts(sql: Sql, rows: readonly StepWithOwnRows<StartToSave>[], beside: keyof typeof plain) {
  const starts = rows.map(({ step }) => step);
  const rest = optionalParts(rows);
  const traced = tracedSteps(starts);
  const told = channelStarts(starts);
  const timed = starts.some(({ timer }) => timer?.open) ? timedSessions(starts, "id") : untimed;
  return sql<Saved[]>`
    with given as (
      select *
      from ${startRows(sql, rows)} as i
    ),
    input as (
      select *
      from given i
      where i.cached_public_id is null
        or exists (
          select
          from bots b
          join workspaces w on w.id = b.workspace_id
          where b.id = i.bot_id
            and lower(b.public_id) = lower(i.cached_public_id)
            and b.publication_number = i.publication_number
            and b.canary_number is null
            and not b.is_archived
            and not b.is_closed
            and not w.is_suspended
            and (i.has_event_endpoints or not ${hasEventEndpoints(sql)})
        )
    ),
    ${starts.some(({ key }) => key !== null) ? keyedStarts(sql) : sql`saved as (select *, 1 as revision from input)`},
    ${timed.list(sql)}
    ${told.list(sql)}
    session_rows as (
      insert into sessions (shard, id, bot_id, flow_hash, publication_number, result_id, revision, last_step_id, state, is_ended,
        allowed_origins, lifetime_minutes, dialect, is_anonymous, previewed_by, expires_at, expires_hour ${told.sessionColumn(sql)})
      select shard, id, bot_id, decode(flow_hash, 'hex'), publication_number, result_id, revision, step_id, coalesce(state, ''), is_ended,
        allowed_origins::text[], lifetime_minutes, dialect, is_anonymous, previewed_by,
        ${timed.atLeast(sql)} date_trunc('minute', (select clock())) + make_interval(mins => lifetime_minutes + 1) ${timed.untilTime(sql)},
        ${timed.atLeast(sql)} date_trunc('hour', (select clock()) + make_interval(mins => lifetime_minutes + 61)) ${timed.untilHour(sql)} ${told.sessionValue(sql)}
      from saved
    ),
    ${traced.list(sql)}
    step_rows as (
      insert into steps (shard, session_id, revision, id, bot_id, request_hash, reply, response, inputs ${traced.column(sql)})
      select shard, id, revision, step_id, bot_id, decode(request_hash, 'hex'), reply::json, response::json, inputs ${traced.value(sql)}
      from saved
    ),
    result_rows as (
      insert into results (shard, id, bot_id, variables, writer_session_id, has_started, is_completed, publication_number ${told.resultColumns(sql)})
      select shard, result_id, bot_id, ${chatVariables(sql, sql`variables`)}, ${beside === "alone" ? sql`id` : sql`null`}, has_started, is_completed, publication_number ${told.resultValues(sql)}
      from saved
      where variables is not null
      on conflict (shard, id) do update
      set
        -- A start alone says nothing new of a visitor who has answered before.
        variables = coalesce(
          (
            select merged_variables(case when json_array_length(results.variables) > 0 then results.variables end, s.variables)
            from saved s
            where s.result_id = excluded.id
              and (s.block_id is not null or not results.has_started)
            limit 1
          ),
          results.variables
        ),
        -- The next save of a chat finds out whether it is the only one that has written the result.
        writer_session_id = null,
        has_started = results.has_started or excluded.has_started,
        is_completed = results.is_completed or excluded.is_completed,
        updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
      where not results.is_archived
    ),
    answer_rows as (
      insert into answers (shard, result_id, session_id, revision, position, bot_id, block_id, group_id, variable_id, content,
        attached_file_urls)
      select shard, result_id, id, revision, 0, bot_id, block_id, group_id, variable_id, content, attached_file_urls::text[]
      from saved
      where block_id is not null and result_id is not null
    )
    ${rest(sql)}
    select index::integer as index
    from saved`;
}

/**
 * Returns the statement part with the starts that own their key or have no key. This part is included only if a start
 * has a key.
 */
function keyedStarts(sql: Sql) {
  return sql`
    keyed as (
      insert into start_keys as k (scope, key, public_id, request_hash, session_id, response)
      select split_part(i.scope, ' ', 1), i.key, nullif(split_part(i.scope, ' ', 2), ''), decode(i.request_hash, 'hex'), i.id, i.response::json
      from input i
      where i.key is not null
      order by split_part(i.scope, ' ', 1), i.key
      on conflict (scope, key) do update
      set
        public_id = excluded.public_id,
        request_hash = excluded.request_hash,
        session_id = excluded.session_id,
        response = excluded.response,
        claim_until = null,
        created_at = clock()
      where k.created_at <= clock() - make_interval(hours => ${limits.idempotency.hours})
        or (
          k.session_id is null
          and (k.claim_until <= clock() or exists (select from input i where i.id = excluded.session_id and i.step_id = k.claim_step_id))
        )
      returning k.session_id
    ),
    saved as (
      select i.*, 1 as revision
      from input i
      where i.key is null or i.id in (select session_id from keyed)
    )`;
}

/** A start's idempotency key, with the stored response of the start or the claim of an unfinished start. */
export type StartKeyRow = {
  readonly requestHash: string;
  /** The public id by which the start named its bot, as in the start's hash. Null in rows of an earlier release. */
  readonly publicId: string | null;
  readonly response: string | null;
  readonly isClaimLive: boolean;
  /** Like `Claim.isFromFuture`. */
  readonly isClaimFromFuture: boolean;
  readonly claimStepId: string | null;
  readonly claimNow: Date | null;
  readonly claimSeed: string | null;
  /** The ids that a retry of the claimed start reuses. */
  readonly claimSessionId: string | null;
  readonly claimResultId: string | null;
};

/** Finds the row of a key, unless it is older than a day. */
export async function findStartKey(sql: Sql, scope: string, key: string): Promise<StartKeyRow | undefined> {
  const [row] = await sql<StartKeyRow[]>`
    select
      encode(request_hash, 'hex') as request_hash,
      public_id,
      case when session_id is null then null else response::text end as response,
      coalesce(claim_until > clock(), false) as is_claim_live,
      coalesce(claim_until > clock() + make_interval(secs => ${limits.claims.formerSeconds}), false) as is_claim_from_future,
      claim_step_id,
      claim_now,
      claim_seed,
      claim_session_id,
      claim_result_id
    from start_keys
    where scope = ${scope} and key = ${key} and created_at > clock() - make_interval(hours => ${limits.idempotency.hours})`;
  return row;
}

/** A claim on a key, identified by the id of the claimed step. */
export type StartClaim = { readonly scope: string; readonly key: string; readonly stepId: string };

/**
 * Claims a key for a start that will perform effects. Returns false if another start has the key, or has claimed the
 * key since this start read it.
 */
export async function claimStart(
  sql: Sql,
  claim: StartClaim & {
    requestHash: string;
    publicId: string | null;
    now: Date;
    seed: string;
    sessionId: string;
    resultId: string | null;
    seconds: number;
  },
): Promise<boolean> {
  const rows = await sql`
    insert into start_keys as k (
      scope, key, public_id, request_hash, claim_now, claim_seed, claim_session_id, claim_result_id, claim_step_id, claim_until
    )
    values (
      ${claim.scope}, ${claim.key}, ${claim.publicId}, decode(${claim.requestHash}, 'hex'), ${claim.now}, ${claim.seed},
      ${claim.sessionId}, ${claim.resultId}, ${claim.stepId},
      clock() + make_interval(secs => ${claim.seconds})
    )
    on conflict (scope, key) do update
    set
      public_id = excluded.public_id,
      request_hash = excluded.request_hash,
      claim_now = excluded.claim_now,
      claim_seed = excluded.claim_seed,
      claim_session_id = excluded.claim_session_id,
      claim_result_id = excluded.claim_result_id,
      claim_step_id = excluded.claim_step_id,
      claim_until = excluded.claim_until,
      session_id = null,
      response = null,
      created_at = clock()
    where k.created_at <= clock() - make_interval(hours => ${limits.idempotency.hours})
      or (
        k.session_id is null
        and k.claim_until <= clock()
        and (
          -- The session's id says that this start read that claim: all posts of one page's form have its seed.
          (k.claim_seed = excluded.claim_seed and coalesce(k.claim_session_id = excluded.claim_session_id, true))
          or k.claim_seed is null
          or k.request_hash <> excluded.request_hash
        )
      )
    returning 1`;
  return rows.length === 1;
}

/**
 * Renews the claim of a start, and returns whether the start still has the claim. Few starts have a claim, so each
 * renewal has its own statement.
 */
export async function renewStartClaim(
  sql: Sql,
  { scope, key, stepId, seconds }: StartClaim & { seconds: number },
): Promise<boolean> {
  const rows = await sql`
    update start_keys
    set claim_until = clock() + make_interval(secs => ${seconds})
    where scope = ${scope}
      and key = ${key}
      and session_id is null
      and claim_step_id = ${stepId}
      and claim_until > ${endedClaim}
    returning 1`;
  return rows.length === 1;
}

/** Like `shortenClaim`, for starts. */
export async function shortenStartClaim(
  sql: Sql,
  { scope, key, seconds }: { scope: string; key: string; seconds: number },
): Promise<void> {
  await sql`
    update start_keys
    set claim_until = clock() + make_interval(secs => ${seconds})
    where scope = ${scope}
      and key = ${key}
      and claim_until > clock() + make_interval(secs => ${limits.claims.formerSeconds})`;
}

/** Releases the claim of a start that was not saved. Its clock and seed are kept for a retry of the same request. */
export async function endStartClaim(sql: Sql, { scope, key, stepId }: StartClaim): Promise<void> {
  await sql`
    update start_keys
    set claim_until = ${endedClaim}
    where scope = ${scope} and key = ${key} and session_id is null and claim_step_id = ${stepId}`;
}
