import type postgres from "postgres";
import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { first, type Sql, type Statements } from "../../../platform/database/sql.ts";
import { inTurn } from "../../../platform/database/turns.sql.ts";

/** The position of a thread: an object of the flow, or a point of the canvas. */
export type CommentPlace =
  | { readonly kind: "group" | "block" | "frame"; readonly id: string }
  | { readonly kind: "place"; readonly x: number; readonly y: number };

export type CommentRow = {
  readonly id: string;
  readonly threadId: string;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly place: CommentPlace | null;
  readonly text: string;
  readonly mentionIds: readonly string[];
  readonly mentionNames: readonly (string | null)[] | null;
  readonly isRemoved: boolean;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly resolvedByName: string | null;
  readonly editedAt: Date | null;
  readonly createdAt: Date;
};

export type PersonRow = { readonly userId: string; readonly name: string | null };

/** Returns a bot's comments, newest first. */
export async function listComments(
  sql: Sql,
  { botId, after, limit }: { botId: string; after: Position | undefined; limit: number },
): Promise<CommentRow[]> {
  return sql<CommentRow[]>`
    select ${columns(sql)}
    from (
      select *
      from comments
      where bot_id = ${botId}
        ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
      order by created_at desc, id desc
      limit ${limit}
    ) as comments
    ${names(sql)}
    order by comments.created_at desc, comments.id desc`;
}

export async function findComment(
  sql: Sql,
  { botId, id }: { botId: string; id: string },
): Promise<CommentRow | undefined> {
  return first(sql<CommentRow[]>`
    select ${columns(sql)}
    from comments
    ${names(sql)}
    where comments.id = ${id}
      and comments.bot_id = ${botId}`);
}

type NewComment = {
  readonly id: string;
  readonly botId: string;
  readonly userId: string;
  /** The id of the thread's first comment. A comment whose own id is its `threadId` starts a thread. */
  readonly threadId: string;
  readonly place: CommentPlace | null;
  readonly text: string;
  readonly mentionIds: readonly string[];
};

/**
 * The reason why a comment was not stored: `full` if the bot has the maximum number of comments, `gone` if the thread
 * was deleted meanwhile.
 */
type NotKept = "full" | "gone";

/**
 * Stores a comment and returns undefined. If the bot already has `most` comments or the thread was deleted, returns the
 * reason instead. Concurrent requests may exceed `most`.
 */
export async function insertComment(
  sql: Sql,
  { id, botId, userId, threadId, place, text, mentionIds }: NewComment,
  { most }: { most: number },
): Promise<NotKept | undefined> {
  const [row] = await sql<[{ isKept: boolean; hasThread: boolean }]>`
    with thread as (
      -- Whoever deletes the thread waits for this answer, or it is not written.
      select id
      from comments
      where id = ${threadId}
        and bot_id = ${botId}
        and thread_id = id
      for key share
    ),
    made as (
      insert into comments (id, bot_id, thread_id, user_id, place, text, mentions)
      select ${id}::uuid, bots.id, ${threadId}::uuid, ${userId}::uuid, ${place && JSON.stringify(place)}::text::json,
        ${text}::text, ${[...mentionIds]}::uuid[]
      from bots
      where bots.id = ${botId}
        and (${id === threadId} or exists (select from thread))
        and (
          select count(*)
          from comments
          where comments.bot_id = bots.id
        ) < ${most}::integer
      returning bot_id
    ),
    ${changed(sql, "made")}
    select
      exists (select from made) as is_kept,
      ${id === threadId} or exists (select from thread) as has_thread`;
  if (row.isKept) return undefined;
  return row.hasThread ? "full" : "gone";
}

/** Changes the text of a user's own comment. Returns false if the user has no such comment. */
export async function updateCommentText(
  sql: Sql,
  { botId, id, userId, text, mentionIds }: Omit<NewComment, "threadId" | "place">,
): Promise<boolean> {
  const rows = await sql`
    with written as (
      update comments
      set text = ${text}, mentions = ${[...mentionIds]}::uuid[], edited_at = clock()
      where id = ${id}
        and bot_id = ${botId}
        and user_id = ${userId}
        and not is_removed
      returning bot_id
    ),
    ${changed(sql, "written")}
    select from written`;
  return rows.length === 1;
}

/** Resolves or reopens a thread. Does nothing if the thread is already in this state. */
export async function setResolved(
  sql: Sql,
  { botId, id, userId, isResolved }: { botId: string; id: string; userId: string; isResolved: boolean },
): Promise<void> {
  await sql`
    with written as (
      update comments
      set resolved_at = case when ${isResolved} then clock() end,
        resolved_by = case when ${isResolved} then ${userId}::uuid end
      where id = ${id}
        and bot_id = ${botId}
        and thread_id = id
        and (resolved_at is not null) <> ${isResolved}
      returning bot_id
    ),
    ${changed(sql, "written")}
    select from written`;
}

/**
 * Deletes a comment. With `userId`, deletes only a comment of this user. The first comment of a thread with replies
 * loses its text and remains until the last reply is deleted. Returns false if there is no such comment.
 */
export async function deleteComment(
  sql: Sql,
  place: { botId: string; id: string; userId: string | undefined },
): Promise<boolean> {
  return await inTurn(sql, async (transaction) => {
    await lockThread(transaction, place);
    return await deleteLocked(transaction, place);
  });
}

/**
 * Waits for other requests that add or delete comments of the thread, so that the next statement sees their changes.
 */
async function lockThread(sql: Statements, { botId, id }: { botId: string; id: string }): Promise<void> {
  await sql`
    select
    from comments as threads
    where threads.bot_id = ${botId}
      and threads.id = (select thread_id from comments where comments.id = ${id} and comments.bot_id = ${botId})
    for update`;
}

async function deleteLocked(
  sql: Statements,
  { botId, id, userId }: { botId: string; id: string; userId: string | undefined },
): Promise<boolean> {
  const rows = await sql`
    with target as (
      select comments.id, comments.thread_id
      from comments
      where comments.id = ${id}
        and comments.bot_id = ${botId}
        and not comments.is_removed
        ${userId === undefined ? sql`` : sql`and comments.user_id = ${userId}`}
      for update
    ),
    others as (
      select count(*) > 0 as is_answered
      from comments
      join target on target.thread_id = comments.thread_id and target.id <> comments.id
      where comments.bot_id = ${botId}
        and not comments.is_removed
    ),
    emptied as (
      update comments
      set text = '', mentions = '{}', is_removed = true, user_id = null
      from target, others
      where comments.id = target.id
        and target.id = target.thread_id
        and others.is_answered
      returning comments.bot_id
    ),
    removed as (
      delete from comments
      using target, others
      where comments.bot_id = ${botId}
        and (
          (comments.id = target.id and not (target.id = target.thread_id and others.is_answered))
          or (comments.thread_id = target.thread_id and not others.is_answered)
        )
      returning comments.bot_id
    ),
    touched as (
      select bot_id from emptied
      union
      select bot_id from removed
    ),
    ${changed(sql, "touched")}
    select from touched`;
  return rows.length === 1;
}

/** Returns active users who may read a bot as ADMIN or MEMBER of its workspace or as collaborators, sorted by name. */
export async function listReaders(sql: Sql, { botId, limit }: { botId: string; limit: number }): Promise<PersonRow[]> {
  return sql<PersonRow[]>`
    select users.id as user_id, users.name
    from (
      select members.user_id
      from members
      join bots on bots.workspace_id = members.workspace_id
      where bots.id = ${botId}
        and members.role in ('ADMIN', 'MEMBER')
      union
      select user_id
      from collaborators
      where bot_id = ${botId}
    ) as readers
    join users on users.id = readers.user_id and users.deactivated_at is null
    order by users.name, users.id
    limit ${limit}`;
}

/** Returns the time up to which a user has seen a bot's comments, or undefined if the user has never seen them. */
export async function findSeen(
  sql: Sql,
  { botId, userId }: { botId: string; userId: string },
): Promise<Date | undefined> {
  const [row] = await sql<{ seenAt: Date }[]>`
    select seen_at
    from comment_reads
    where bot_id = ${botId}
      and user_id = ${userId}`;
  return row?.seenAt;
}

/**
 * Records the time up to which a user has seen a bot's comments. The time is at most the present, and does not replace
 * a later stored time.
 */
export async function putSeen(
  sql: Sql,
  { botId, userId, at }: { botId: string; userId: string; at: Date },
): Promise<Date> {
  const [row] = await sql<[{ seenAt: Date }]>`
    insert into comment_reads (bot_id, user_id, seen_at)
    values (${botId}, ${userId}, least(${at}::timestamptz, clock()))
    on conflict (bot_id, user_id) do update
    set seen_at = greatest(comment_reads.seen_at, excluded.seen_at)
    returning seen_at`;
  return row.seenAt;
}

/** Increases the revision of the bot's comments, so that open editors of the bot are notified. */
function changed(sql: Statements, source: string): postgres.Fragment {
  return sql`
    counted as (
      insert into comment_revisions (bot_id, revision)
      select distinct bot_id, 1
      from ${sql(source)}
      on conflict (bot_id) do update
      set revision = comment_revisions.revision + 1
    )`;
}

function columns(sql: Sql): postgres.Fragment {
  return sql`
    comments.id,
    comments.thread_id,
    comments.user_id,
    users.name as user_name,
    comments.place,
    comments.text,
    comments.mentions as mention_ids,
    (
      select json_agg(named.name order by mentioned.position)
      from unnest(comments.mentions) with ordinality as mentioned (id, position)
      left join users as named on named.id = mentioned.id
    ) as mention_names,
    comments.is_removed,
    comments.resolved_at,
    comments.resolved_by,
    resolvers.name as resolved_by_name,
    comments.edited_at,
    comments.created_at`;
}

function names(sql: Sql): postgres.Fragment {
  return sql`
    left join users on users.id = comments.user_id
    left join users as resolvers on resolvers.id = comments.resolved_by`;
}
