import type { FlowPicture } from "../../core/editing/flow-picture.ts";
import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** The sort orders of a list of bots. All orders except `name` start with the latest. */
export const botOrders = ["createdAt", "updatedAt", "name", "lastAnsweredAt"] as const;
export type BotOrder = (typeof botOrders)[number];

export type BotSummaryRow = {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly workspaceId: string;
  readonly folderId: string | null;
  readonly publicId: string | null;
  readonly isClosed: boolean;
  readonly isArchived: boolean;
  readonly publishedBotId: string | null;
  readonly publicationNumber: number | null;
  /** The time of the last change of the newest chat that has an answer. */
  readonly lastAnsweredAt: Date | null;
  /** The time of the draft's last change. Null if no change is recorded. */
  readonly lastChangedAt: Date | null;
  /** The name of the user who last changed the draft. */
  readonly lastChangedBy: string | null;
  /** Whether the draft differs, or may differ, from the published version. */
  readonly hasUnpublishedChanges: boolean;
  /** The number of chats of the last seven days that are already counted as started. */
  readonly startedCount: number;
  readonly completedCount: number;
  /**
   * The number of chats that started on each of the last days in UTC. The key is the number of days ago, with 0 for
   * today.
   */
  readonly startsByAge: Readonly<Record<string, number>>;
  /** The number of errors in the logs of the bot's newest chats of the last day. */
  readonly errorCount: number;
  /** The shape of the bot's flow. Null if no picture of the flow was created yet. */
  readonly picture: FlowPicture | null;
  /** The requesting user's collaboration on the bot. */
  readonly collaboration: "READ" | "WRITE" | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The position of a bot in a list that is sorted by name. */
export type BotPosition = Position & { readonly name: string };

export type BotList = {
  readonly workspaceId: string;
  /** Only bots in this folder. With `null`, only bots that are in no folder. */
  readonly folderId: string | null | undefined;
  /** A part of the name or of the public id, in upper or lower case. */
  readonly search?: string | undefined;
  readonly isPublished?: boolean | undefined;
  /** Lists archived bots instead of active bots. */
  readonly isArchived?: boolean;
  readonly order?: BotOrder;
  readonly userId: string;
  /** In lists that are sorted by another time, the position's `createdAt` contains that time. */
  readonly after: Position | BotPosition | undefined;
  readonly limit: number;
};

export async function listBots(sql: Sql, list: BotList): Promise<BotSummaryRow[]> {
  return listFrom(sql, list, sql`bots`);
}

/**
 * Like `listBots`, for the bots on which the user collaborates. A user has few such bots, so they are found first and
 * sorted afterwards.
 */
export async function listSharedBots(sql: Sql, list: BotList): Promise<BotSummaryRow[]> {
  return listFrom(
    sql,
    list,
    sql`collaborators join bots on bots.id = collaborators.bot_id and collaborators.user_id = ${list.userId}`,
  );
}

async function listFrom(sql: Sql, list: BotList, from: Part): Promise<BotSummaryRow[]> {
  const { order = "createdAt", after, limit } = list;
  const found = sql`
    from ${from}
    where bots.workspace_id = ${list.workspaceId}
      ${inFolder(sql, list.folderId)}
      ${list.isArchived ? sql`and bots.is_archived and bots.deleted_at is null` : sql`and not bots.is_archived`}
      ${named(sql, list.search)}
      ${published(sql, list.isPublished)}`;
  const columns = summary(sql, list.userId);
  // Finds the bots of the page before reading their other columns. Otherwise these columns cost so much that PostgreSQL
  // does not distinguish between indexes.
  const page = (rest: Part, inOrder: Part) => sql<BotSummaryRow[]>`
    select ${columns}
    from (
      select bots.*
      ${found}
        ${rest}
      order by ${inOrder}
      limit ${limit}
    ) as bots
    order by ${inOrder}`;
  switch (order) {
    // For bots in no folder, the sort order includes the folder. Otherwise PostgreSQL sorts all these bots instead of
    // reading the index.
    case "createdAt":
      return page(
        after ? sql`and (bots.created_at, bots.id) < (${after.createdAt}, ${after.id})` : sql``,
        sql`${list.folderId === null ? sql`bots.folder_id,` : sql``} bots.created_at desc, bots.id desc`,
      );
    case "updatedAt":
      return page(
        after ? sql`and (bots.updated_at, bots.id) < (${after.createdAt}, ${after.id})` : sql``,
        sql`bots.updated_at desc, bots.id desc`,
      );
    case "name":
      return page(
        after && "name" in after ? sql`and (lower(bots.name), bots.id) > (lower(${after.name}), ${after.id})` : sql``,
        sql`lower(bots.name), bots.id`,
      );
    // Reads the newest answered result of each matching bot. Otherwise each step would have to record the time of the
    // answer with its bot.
    case "lastAnsweredAt":
      return sql`
        select *
        from (select ${columns} ${found}) as found
        ${after ? sql`where (coalesce(last_answered_at, 'epoch'), id) < (${after.createdAt}, ${after.id})` : sql``}
        order by coalesce(last_answered_at, 'epoch') desc, id desc
        limit ${limit}`;
  }
}

type Part = ReturnType<Sql>;

/**
 * Reads data of other tables in a subquery for each bot, so that no plan can start with all collaborations or
 * publications.
 */
function summary(sql: Sql, userId: string) {
  return sql`
    bots.id,
    bots.name,
    bots.icon,
    bots.workspace_id,
    bots.folder_id,
    bots.public_id,
    bots.is_closed,
    bots.is_archived,
    (
      select publications.id
      from publications
      where publications.bot_id = bots.id
        and publications.number = bots.publication_number
    ) as published_bot_id,
    bots.publication_number,
    (
      select results.updated_at
      from results
      where results.bot_id = bots.id
        and not results.is_archived
        and results.has_started
      order by results.created_at desc, results.id desc
      limit 1
    ) as last_answered_at,
    (
      select log.created_at
      from bot_changes as log
      where log.bot_id = bots.id
      order by log.revision desc
      limit 1
    ) as last_changed_at,
    (
      select users.name
      from users
      where users.id = (
        select log.user_id
        from bot_changes as log
        where log.bot_id = bots.id
        order by log.revision desc
        limit 1
      )
    ) as last_changed_by,
    coalesce(
      (
        select case
          when live.draft_revision is not null then live.draft_revision <> bots.revision
          -- Published by a release that did not know it.
          else live.created_at < (
            select log.created_at
            from bot_changes as log
            where log.bot_id = bots.id
            order by log.revision desc
            limit 1
          )
        end
        from publications as live
        where live.bot_id = bots.id
          and live.number = bots.publication_number
      ),
      false
    ) as has_unpublished_changes,
    ${countedOf(sql, "start")} as started_count,
    ${countedOf(sql, "completion")} as completed_count,
    ${startsByAge(sql)} as starts_by_age,
    (
      select count(*)::integer
      from (
        select newest.shard, newest.id
        from results as newest
        where newest.bot_id = bots.id
          and not newest.is_archived
          and newest.created_at > clock() - interval '1 day'
        order by newest.created_at desc, newest.id desc
        limit ${resultsWithErrors}
      ) as recent
      join logs on logs.shard = recent.shard
        and logs.result_id = recent.id
      where logs.status = 'error'
    ) as error_count,
    bots.picture,
    (
      select mine.type
      from collaborators as mine
      where mine.bot_id = bots.id
        and mine.user_id = ${userId}
    ) as collaboration,
    bots.created_at,
    bots.updated_at`;
}

/**
 * The maximum number of a bot's chats whose logs are read, so that a list of a hundred bots takes only milliseconds.
 */
const resultsWithErrors = 20;

/** Selects the number of chats of the last seven days that count for a measure. */
function countedOf(sql: Sql, kind: "start" | "completion") {
  return sql`(
      select coalesce(sum(${chatsOf(sql)}), 0)::integer
      from insight_measures as measure
      join insight_counts as counts on counts.bot_id = bots.id
        and counts.unit = 'day'
        and counts.starts_at > clock() - interval '7 days'
      where measure.bot_id = bots.id
        and measure.kind = ${kind}
        and measure.subject = ''
        and measure.value = ''
    )`;
}

/**
 * Selects the number of one measure from a row of counts. Searching the row's list is much cheaper than expanding the
 * whole list to rows.
 */
function chatsOf(sql: Sql) {
  return sql`counts.chats[array_position(counts.measures, measure.id)]`;
}

/** Selects the number of chats that count as started on each of the last days, by the number of days ago. */
function startsByAge(sql: Sql) {
  return sql`coalesce(
      (
        select json_object_agg(counted.ago, counted.chats)
        from (
          select
            (extract(epoch from date_trunc('day', clock(), 'UTC') - counts.starts_at) / 86400)::integer as ago,
            sum(${chatsOf(sql)})::integer as chats
          from insight_measures as measure
          join insight_counts as counts on counts.bot_id = bots.id
            and counts.unit = 'day'
            and counts.starts_at > clock() - make_interval(hours => ${24 * limits.dashboard.days}::integer)
          where measure.bot_id = bots.id
            and measure.kind = 'start'
            and measure.subject = ''
            and measure.value = ''
            and measure.id = any(counts.measures)
          group by counts.starts_at
        ) as counted
      ),
      '{}'
    )`;
}

function inFolder(sql: Sql, folderId: string | null | undefined) {
  if (folderId === undefined) return sql``;
  return folderId === null ? sql`and bots.folder_id is null` : sql`and bots.folder_id = ${folderId}`;
}

function named(sql: Sql, search: string | undefined) {
  if (search === undefined) return sql``;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql`and (bots.name ilike ${pattern} or bots.public_id ilike ${pattern})`;
}

function published(sql: Sql, isPublished: boolean | undefined) {
  if (isPublished === undefined) return sql``;
  return isPublished ? sql`and bots.publication_number is not null` : sql`and bots.publication_number is null`;
}
