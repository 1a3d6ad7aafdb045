import type { Dialect } from "../../core/flow/dialect.ts";
import type { SpokenStep } from "../../effects/effect-context.ts";
import { limits } from "../../limits/index.ts";
import { hasEventEndpoints } from "../../management/events/save-events.sql.ts";
import { bulk, smallint, text, uuid } from "../../platform/database/bulk.ts";
import { endedClaim } from "../../platform/database/ended-claim.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/**
 * A session with facts about its bot, the database's clock, and the step that was saved under the request's key. A
 * session with revision 0 is new and is stored by its first step.
 */
export type Session = {
  readonly id: string;
  readonly botId: string;
  /** Null if the bot was deleted, and for anonymous previews, which have no bot. */
  readonly workspaceId: string | null;
  readonly flowHash: string;
  readonly publicationNumber: number | null;
  /**
   * The version to which the session moves at the next possible input (`move-chat.ts`). Null for nearly all sessions.
   */
  readonly movingTo: number | null;
  readonly resultId: string | null;
  readonly revision: number;
  readonly lastStepId: string | null;
  readonly state: string;
  readonly allowedOrigins: readonly string[] | null;
  readonly dialect: Dialect;
  readonly isAnonymous: boolean;
  /** The user whose token started the preview. Null for live chats and anonymous previews. */
  readonly previewedBy: string | null;
  /** The messenger contact who owns the chat; null on the web. */
  readonly contactId: string | null;
  readonly isEnded: boolean;
  readonly isExpired: boolean;
  readonly isSuspended: boolean;
  /** Whether the bot's workspace has an enabled event endpoint (`management/events/save-events.sql.ts`). */
  readonly hasEventEndpoints: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly now: Date;
  readonly claim: Claim | null;
  readonly replay: { readonly requestHash: string; readonly response: string; readonly revision: number } | null;
};

/**
 * The claim of the process that performs a step's effects. After the claim has expired, a retry of the request uses the
 * claim's clock and seed.
 */
export type Claim = {
  /** Null for a start that was claimed by an earlier release. */
  readonly stepId: string | null;
  readonly requestHash: string;
  readonly now: Date;
  readonly seed: string;
  readonly isLive: boolean;
  /**
   * Whether the claim ends later than any claim can last. The database's clock has then stepped back, and the claim
   * must be shortened.
   */
  readonly isFromFuture: boolean;
};

type SessionRow = Omit<Session, "id" | "claim" | "replay"> & {
  readonly index: number;
  readonly claimStepId: string | null;
  readonly claimHash: string | null;
  readonly claimNow: Date | null;
  readonly claimSeed: string | null;
  readonly claimUntil: Date | null;
  readonly replayHash: string | null;
  readonly replayResponse: string | null;
  readonly replayRevision: number | null;
};

/** A session to read, with the idempotency key of the request. */
export type SessionLookup = { readonly id: string; readonly key: string | null };

const lookupRows = bulk<SessionLookup>({
  shard: smallint(({ id }) => shardOf(id)),
  id: uuid(({ id }) => id),
  key: text(({ key }) => key),
});

/**
 * Finds sessions in the order of the lookups, each with the step that was saved under the lookup's key. The result is
 * null for a session that does not exist.
 */
export async function findSessions(sql: Sql, lookups: readonly SessionLookup[]): Promise<(Session | null)[]> {
  const rows = await sql<SessionRow[]>`
    select
      i.index::integer as index,
      s.bot_id,
      b.workspace_id,
      encode(s.flow_hash, 'hex') as flow_hash,
      s.publication_number,
      case when s.moving_to = b.publication_number then s.moving_to end as moving_to,
      s.result_id,
      s.revision,
      s.last_step_id,
      s.state,
      s.allowed_origins,
      s.dialect,
      s.is_anonymous,
      s.previewed_by,
      s.channel_contact_id as contact_id,
      s.is_ended,
      s.expires_at <= clock() as is_expired,
      coalesce(w.is_suspended, false) as is_suspended,
      ${hasEventEndpoints(sql)} as has_event_endpoints,
      s.created_at,
      s.expires_at,
      clock() as now,
      s.claim_step_id,
      encode(s.claim_hash, 'hex') as claim_hash,
      s.claim_now,
      s.claim_seed,
      s.claim_until,
      encode(t.request_hash, 'hex') as replay_hash,
      t.response::text as replay_response,
      t.revision as replay_revision
    from (
      select *
      from ${lookupRows(sql, lookups)} as i
      limit ${lookups.length}::integer
    ) i
    join sessions s on s.shard = i.shard and s.id = i.id
    left join bots b on b.id = s.bot_id
    left join workspaces w on w.id = b.workspace_id
    left join lateral (
      select steps.request_hash, steps.response, steps.revision
      from steps
      where i.key is not null and steps.shard = s.shard and steps.session_id = s.id and steps.key = i.key
      offset 0
    ) t on true`;
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  return lookups.map(({ id }, index) => {
    const row = byIndex.get(index + 1);
    return row ? sessionOf(id, row) : null;
  });
}

/** Finds a session, with the step that was saved under `key`, if any. */
export async function findSession(sql: Sql, id: string, key: string | null): Promise<Session | undefined> {
  const [session] = await findSessions(sql, [{ id, key }]);
  return session ?? undefined;
}

function sessionOf(id: string, row: SessionRow): Session {
  const {
    index: _,
    claimStepId,
    claimHash,
    claimNow,
    claimSeed,
    claimUntil,
    replayHash,
    replayResponse,
    replayRevision,
    ...rest
  } = row;
  const hasClaim = claimStepId !== null && claimHash !== null && claimNow !== null && claimSeed !== null;
  const msLeft = claimUntil === null ? 0 : claimUntil.getTime() - row.now.getTime();
  const holding = { isLive: msLeft > 0, isFromFuture: msLeft > 1_000 * limits.claims.formerSeconds };
  return {
    ...rest,
    id,
    claim: hasClaim
      ? { stepId: claimStepId, requestHash: claimHash, now: claimNow, seed: claimSeed, ...holding }
      : null,
    replay:
      replayHash !== null && replayResponse !== null && replayRevision !== null
        ? { requestHash: replayHash, response: replayResponse, revision: replayRevision }
        : null,
  };
}

/**
 * Claims a session's next step before its effects. Returns false if the session has changed since it was read, or if
 * another step has a live claim. Also returns false if the same request has a claim with another seed: the effects must
 * be repeated with that seed.
 */
export async function claimStep(
  sql: Sql,
  claim: {
    sessionId: string;
    revision: number;
    stepId: string;
    requestHash: string;
    now: Date;
    seed: string;
    seconds: number;
    /** Whether the chat had ended when it was read. The step then reopens the chat. */
    wasEnded?: boolean;
  },
): Promise<boolean> {
  const { wasEnded = false } = claim;
  const rows = await sql`
    update sessions
    set
      claim_step_id = ${claim.stepId},
      claim_hash = decode(${claim.requestHash}, 'hex'),
      claim_now = ${claim.now},
      claim_seed = ${claim.seed},
      claim_until = clock() + make_interval(secs => ${claim.seconds})
    where shard = ${shardOf(claim.sessionId)}
      and id = ${claim.sessionId}
      and revision = ${claim.revision}
      and is_ended = ${wasEnded}
      and (claim_until is null or claim_until <= clock() or claim_step_id = ${claim.stepId})
      and (claim_seed = ${claim.seed} or claim_hash is distinct from decode(${claim.requestHash}, 'hex'))
    returning 1`;
  return rows.length === 1;
}

/**
 * Shortens a claim that ends too late because the clock stepped back. A living holder renews the claim before it ends,
 * so that no other process runs the same step.
 */
export async function shortenClaim(
  sql: Sql,
  claim: { sessionId: string; stepId: string | null; seconds: number },
): Promise<void> {
  await sql`
    update sessions
    set claim_until = clock() + make_interval(secs => ${claim.seconds})
    where shard = ${shardOf(claim.sessionId)}
      and id = ${claim.sessionId}
      and claim_step_id = ${claim.stepId}
      and claim_until > clock() + make_interval(secs => ${limits.claims.formerSeconds})`;
}

/**
 * Releases the claim of a step that was not saved. Its clock and seed remain for a retry of the same request, unless
 * the claim is forgotten. In either case, the next step reads the session instead of using a cached one.
 */
export async function endClaim(
  sql: Sql,
  claim: { sessionId: string; stepId: string },
  { isForgotten }: { isForgotten: boolean } = { isForgotten: false },
): Promise<void> {
  const hash = isForgotten ? sql`null` : sql`claim_hash`;
  await sql`
    update sessions
    set claim_until = ${endedClaim}, claim_hash = ${hash}
    where shard = ${shardOf(claim.sessionId)}
      and id = ${claim.sessionId}
      and claim_step_id = ${claim.stepId}`;
}

/** Lists the last `limit` steps of a session, newest first. */
export async function listSteps(sql: Sql, sessionId: string, limit: number): Promise<SpokenStep[]> {
  return sql<SpokenStep[]>`
    select revision, reply, response, created_at, went_back_to
    from steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId}
    order by revision desc
    limit ${limit}`;
}

/** Lists the stored sessions of a result, oldest first. */
export async function listSessionsOfResult(sql: Sql, resultId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from sessions
    where shard = ${shardOf(resultId)} and result_id = ${resultId}
    order by id
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Lists the stored sessions of a result, newest first. */
export async function listSessionsToCall(sql: Sql, resultId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from sessions
    where shard = ${shardOf(resultId)} and result_id = ${resultId}
    order by id desc
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Whether a result is in the bin, or was erased within the last day. */
export async function isResultArchived(sql: Sql, resultId: string): Promise<boolean> {
  const rows = await sql`
    select
    from results
    where shard = ${shardOf(resultId)} and id = ${resultId} and is_archived`;
  return rows.length > 0;
}

/** Whether a result with this id exists, or existed within the last day. */
export async function isResultThere(sql: Sql, resultId: string): Promise<boolean> {
  const rows = await sql`
    select
    from results
    where shard = ${shardOf(resultId)} and id = ${resultId}`;
  return rows.length > 0;
}

/** Lists a user's open previews of a bot, newest first. */
export async function listOpenPreviews(
  sql: Sql,
  { botId, previewedBy, limit }: { botId: string; previewedBy: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from sessions
    where bot_id = ${botId}
      and publication_number is null
      and previewed_by = ${previewedBy}
      and not is_ended
      and expires_at > clock()
    order by id desc
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Returns the language of the flow that a session uses; undefined if the session or its flow's language is unknown. */
export async function findSessionLanguage(sql: Sql, sessionId: string): Promise<string | undefined> {
  const [row] = await sql<{ language: string | null }[]>`
    select flows.facts ->> 'language' as language
    from sessions
    join flows on flows.bot_id = sessions.bot_id
      and flows.hash = sessions.flow_hash
    where sessions.shard = ${shardOf(sessionId)}
      and sessions.id = ${sessionId}`;
  return row?.language ?? undefined;
}
