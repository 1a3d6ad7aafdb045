import type { Change } from "../../../core/editing/changes/change.ts";
import { limits } from "../../../limits/index.ts";
import { countOf, first, type Sql } from "../../../platform/database/sql.ts";
import type { StoredDraft } from "../draft-edits.sql.ts";
import { isHere, type Place, type PresenceRow } from "./presences.sql.ts";

/** A change set in a draft's log, with its author. */
export type ChangeSetRow = {
  readonly revision: number;
  readonly id: string;
  readonly title: string;
  readonly changes: readonly Change[];
  /** The origin of the change set. A later release may have written an unknown value. */
  readonly origin: string | null;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly createdAt: Date;
};

export type UndoableSetRow = ChangeSetRow & { readonly inverse: readonly Change[] };

/** Returns the revision of a bot's draft; undefined if there is no such bot, or if the bot is in the bin. */
export async function findRevision(sql: Sql, botId: string): Promise<number | undefined> {
  const [row] = await sql<{ revision: number }[]>`
    select revision
    from bots
    where id = ${botId}
      and deleted_at is null`;
  return row?.revision;
}

/**
 * Returns the next change sets after a revision, within the limits of one request, plus the sets with the given ids at
 * any revision. The sets are sorted by revision.
 */
export async function listSetsSince(
  sql: Sql,
  { botId, after, ids, limit }: { botId: string; after: number; ids: readonly string[]; limit: number },
): Promise<UndoableSetRow[]> {
  return sql<UndoableSetRow[]>`
    select ${columns(sql)}, log.inverse
    from (
      select revision
      from (${nextSets(sql, { botId: sql`${botId}::uuid`, after: sql`${after}::integer`, limit })}) as next
      where bytes_before < ${limits.editing.logBytes}
      union
      select revision
      from bot_changes
      where bot_id = ${botId}
        and set_id = any(${[...ids]}::text[])
    ) as wanted
    join bot_changes as log on log.bot_id = ${botId} and log.revision = wanted.revision
    left join users on users.id = log.user_id
    order by log.revision`;
}

/**
 * Returns the draft's next change sets after a revision, sorted by revision and within the limits of one request.
 * Returns at least one set if there is any.
 */
export async function listSets(
  sql: Sql,
  { botId, after, limit }: { botId: string; after: number; limit: number },
): Promise<ChangeSetRow[]> {
  return sql<ChangeSetRow[]>`
    select ${columns(sql)}
    from (${nextSets(sql, { botId: sql`${botId}::uuid`, after: sql`${after}::integer`, limit })}) as next
    join bot_changes as log on log.bot_id = ${botId} and log.revision = next.revision
    left join users on users.id = log.user_id
    where next.bytes_before < ${limits.editing.logBytes}
    order by log.revision`;
}

export type HistoryRow = Omit<ChangeSetRow, "id" | "changes" | "origin"> & { readonly changeCount: number };

/** Returns up to `limit` change sets of a draft, newest first, without their changes. */
export async function listHistory(
  sql: Sql,
  { botId, before, limit }: { botId: string; before: number | undefined; limit: number },
): Promise<HistoryRow[]> {
  return sql<HistoryRow[]>`
    select
      log.revision,
      log.title,
      log.user_id,
      users.name as user_name,
      log.created_at,
      json_array_length(log.changes) as change_count
    from bot_changes as log
    left join users on users.id = log.user_id
    where log.bot_id = ${botId}
      ${before === undefined ? sql`` : sql`and log.revision < ${before}`}
    order by log.revision desc
    limit ${limit}`;
}

/** Returns the first whole draft in the log at or after a revision; undefined if there is none. */
export async function findSnapshot(
  sql: Sql,
  { botId, from }: { botId: string; from: number },
): Promise<{ readonly revision: number; readonly draft: StoredDraft } | undefined> {
  return first(sql<{ revision: number; draft: StoredDraft }[]>`
    select revision, draft
    from bot_changes
    where bot_id = ${botId}
      and revision >= ${from}
      and draft is not null
    order by revision
    limit 1`);
}

/** Returns the inverse changes of the sets in a range of revisions, the last set first. */
export async function listInverses(
  sql: Sql,
  { botId, after, to }: { botId: string; after: number; to: number },
): Promise<{ readonly revision: number; readonly inverse: readonly Change[] }[]> {
  return sql<{ revision: number; inverse: readonly Change[] }[]>`
    select revision, inverse
    from bot_changes
    where bot_id = ${botId}
      and revision > ${after}
      and revision <= ${to}
    order by revision desc`;
}

/**
 * Deletes up to `limit` change sets that are older than `days`. For bots with more than 10,000 sets, also deletes up to
 * `limit` sets before the last `sets`. Returns the number of deleted rows.
 */
export async function deleteOldSets(
  sql: Sql,
  { days, sets, limit }: { days: number; sets: number; limit: number },
): Promise<number> {
  return countOf(sql`
    delete from bot_changes
    using (
      (
        select bot_id, revision
        from bot_changes
        where created_at <= clock() - make_interval(days => ${days})
        order by created_at
        limit ${limit}
      )
      union
      (
        select old.bot_id, old.revision
        from bots
        cross join lateral (
          select bot_id, revision
          from bot_changes
          where bot_changes.bot_id = bots.id
            and bot_changes.revision <= bots.revision - ${sets}::integer
          order by revision
          limit ${limit}
        ) as old
        where bots.revision > 10000
          and bots.revision > ${sets}::integer
        limit ${limit}
      )
    ) as old
    where bot_changes.bot_id = old.bot_id
      and bot_changes.revision = old.revision`);
}

type Next = {
  readonly botId: ReturnType<typeof columns>;
  readonly after: ReturnType<typeof columns>;
  readonly limit: number;
};

/**
 * Selects the next sets after a revision, each with the total size of the sets before it. Callers then read the content
 * of only those sets that they return.
 */
function nextSets(sql: Sql, { botId, after, limit }: Next) {
  return sql`
    select revision, sum(bytes) over (order by revision) - bytes as bytes_before
    from (
      select revision, bytes
      from bot_changes
      where bot_changes.bot_id = ${botId}
        and bot_changes.revision > ${after}
      order by revision
      limit ${limit}
    ) as sizes`;
}

function columns(sql: Sql) {
  return sql`
    log.revision,
    log.set_id as id,
    log.title,
    log.changes,
    log.origin,
    log.user_id,
    users.name as user_name,
    log.created_at`;
}

/** The state of a watched bot: one row for each new change set, or one row without a set if there are no new sets. */
export type WatchedRow = { readonly [Key in keyof ChangeSetRow]: ChangeSetRow[Key] | null } & {
  readonly botId: string;
  /** Whether the bot's draft can be changed. The draft of an archived or deleted bot cannot be changed. */
  readonly isOpen: boolean;
  readonly publicationNumber: number | null;
  readonly draftRevision: number | null;
  /** The number of changes to the bot's comments; null if the bot has never had comments. */
  readonly commentRevision: number | null;
  /** The people who have the bot open, as parallel lists with one entry for each tab. */
  readonly presentIds: readonly string[] | null;
  readonly presentUserIds: readonly string[] | null;
  readonly presentNames: readonly (string | null)[] | null;
  readonly presentAts: readonly (string | null)[] | null;
  readonly presentPlaces: readonly (Place | null)[] | null;
};

/** Returns the people who have a watched bot open, with one entry for each tab. */
export function presentIn({
  presentIds,
  presentUserIds,
  presentNames,
  presentAts,
  presentPlaces,
}: WatchedRow): PresenceRow[] {
  return (presentIds ?? []).map((id, index) => ({
    id,
    userId: presentUserIds?.[index] ?? "",
    name: presentNames?.[index] ?? null,
    at: presentAts?.[index] ?? null,
    ...presentPlaces?.[index],
  }));
}

/** Returns the state of these bots, and for each bot its first change sets after the known revision. */
export async function readWatched(
  sql: Sql,
  watched: readonly { readonly botId: string; readonly after: number }[],
  { limit }: { limit: number },
): Promise<WatchedRow[]> {
  return sql<WatchedRow[]>`
    select
      watched.bot_id,
      coalesce(not bots.is_archived, false) as is_open,
      bots.publication_number,
      bots.revision as draft_revision,
      comment_revisions.revision as comment_revision,
      present.*,
      log.*
    from unnest(
      ${watched.map(({ botId }) => botId)}::uuid[],
      ${watched.map(({ after }) => after)}::integer[]
    ) as watched (bot_id, after)
    left join bots on bots.id = watched.bot_id and bots.deleted_at is null
    left join comment_revisions on comment_revisions.bot_id = watched.bot_id
    left join lateral (
      select
        json_agg(presences.id order by presences.id) as present_ids,
        array_agg(presences.user_id order by presences.id) as present_user_ids,
        json_agg(users.name order by presences.id) as present_names,
        json_agg(presences.at order by presences.id) as present_ats,
        json_agg(presences.place order by presences.id) as present_places
      from presences
      left join users on users.id = presences.user_id
      where presences.bot_id = watched.bot_id
        and ${isHere(sql)}
    ) as present on true
    left join lateral (
      select ${columns(sql)}
      from (${nextSets(sql, { botId: sql`watched.bot_id`, after: sql`watched.after`, limit })}) as next
      join bot_changes as log on log.bot_id = watched.bot_id and log.revision = next.revision
      left join users on users.id = log.user_id
      where next.bytes_before < ${limits.editing.watcherBytes / 2}
    ) as log on true
    order by watched.bot_id, log.revision`;
}
