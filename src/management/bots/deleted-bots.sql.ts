import type postgres from "postgres";
import { limits } from "../../limits/index.ts";
import { andSeen } from "../../platform/database/seen.sql.ts";
import { countOf, type Sql } from "../../platform/database/sql.ts";
import { botEvents } from "../events/bot-events.sql.ts";
import { endingJob } from "../row-erasure/ended-chats.sql.ts";

/** The pool, or the single connection of a transaction. */
type Connection = Sql | postgres.TransactionSql;

/**
 * Moves bots to the bin. `deletedWith` is the folder or workspace that is deleted with them, if any. The bots are
 * hidden, and their public ids and custom domains become free. Skips bots that are already in the bin. With `seen`,
 * also skips bots whose `updatedAt` is not one of these times. Returns the number of moved bots.
 */
export async function binBots(
  sql: Connection,
  {
    botIds,
    deletedWith,
    seen,
  }: { botIds: readonly string[]; deletedWith: string | null; seen?: readonly Date[] | undefined },
): Promise<number> {
  const [from, id] = [sql`bot`, sql`bot.id`];
  return countOf(sql`
    with bot as (
      update bots
      set ${binnedBot(sql, sql`${deletedWith}`)}
      where id = any(${[...botIds]}::uuid[])
        and deleted_at is null
        ${andSeen(sql, seen)}
      returning id, name
    )
    ${botEvents(sql, { type: "bot.deleted", from, botId: id, orderKey: id, content: { name: sql`bot.name` } })},
    job as (${endingJob(sql, { using: "bot" })})
    select
    from bot`);
}

/**
 * Returns the assignments for bots that move to the bin. `deletedWith` is the folder or workspace that is deleted with
 * them, if any.
 */
export function binnedBot(sql: Connection, deletedWith: ReturnType<Sql>) {
  return sql`
    deleted_at = clock(),
    erase_after = clock() + make_interval(days => ${limits.erasure.graceDays}),
    deleted_with = ${deletedWith},
    was_archived = is_archived,
    former_public_id = public_id,
    former_custom_domain = custom_domain,
    ends_chats = true,
    is_archived = true,
    public_id = null,
    custom_domain = null,
    updated_at = greatest(clock(), bots.updated_at + interval '1 millisecond')`;
}

export type RestoredBot = {
  readonly id: string;
  /** The bot's former public id, if another bot uses it now. */
  readonly lostPublicId: string | null;
  readonly lostCustomDomain: string | null;
};

/**
 * Restores bots from the bin: the named bot, or the bots that were deleted with a folder or a workspace. Skips bots
 * that are being erased and bots of a workspace in the bin. A bot returns to its former folder, or to the nearest
 * existing folder above it. A public id that another bot acquires at the same moment violates `bots_public_id`.
 */
export async function restoreBots(
  sql: Connection,
  which: { readonly botId: string } | { readonly deletedWith: string },
): Promise<RestoredBot[]> {
  return sql<RestoredBot[]>`
    with wanted as (
      select
        bots.id,
        bots.former_public_id as public_id,
        bots.former_custom_domain as custom_domain,
        bots.former_public_id is not null
          and exists (select from bots as others where lower(others.public_id) = lower(bots.former_public_id)) as has_no_public_id,
        bots.former_custom_domain is not null
          and exists (
            select
            from bots as others
            where lower(others.custom_domain) = lower(bots.former_custom_domain)
              and others.workspace_id = bots.workspace_id
          ) as has_no_custom_domain,
        ${livingFolder(sql, sql`bots.folder_id`)} as folder_id
      from bots
      where ${"botId" in which ? sql`bots.id = ${which.botId}` : sql`bots.deleted_with = ${which.deletedWith}`}
        and bots.erase_after > clock()
        and exists (select from workspaces where workspaces.id = bots.workspace_id and workspaces.deleted_at is null)
      order by bots.id
      for update of bots
    ),
    restored as (
      update bots
      set deleted_at = null,
        erase_after = null,
        deleted_with = null,
        is_archived = was_archived,
        ends_chats = false,
        former_public_id = null,
        former_custom_domain = null,
        public_id = case when not wanted.has_no_public_id then wanted.public_id end,
        custom_domain = case when not wanted.has_no_custom_domain then wanted.custom_domain end,
        folder_id = wanted.folder_id,
        updated_at = greatest(clock(), bots.updated_at + interval '1 millisecond')
      from wanted
      where bots.id = wanted.id
      returning bots.id
    )
    select
      wanted.id,
      case when wanted.has_no_public_id then wanted.public_id end as lost_public_id,
      case when wanted.has_no_custom_domain then wanted.custom_domain end as lost_custom_domain
    from restored
    join wanted on wanted.id = restored.id`;
}

/**
 * Selects the folder itself if it is not in the bin, or otherwise the nearest folder above it that is not in the bin.
 * Selects null if there is none.
 */
export function livingFolder(sql: Connection, folderId: ReturnType<Sql>) {
  return sql`(
    with recursive above (id, parent_folder_id, deleted_at, depth) as (
      select folders.id, folders.parent_folder_id, folders.deleted_at, 0
      from folders
      where folders.id = ${folderId}
      union all
      select folders.id, folders.parent_folder_id, folders.deleted_at, above.depth + 1
      from folders
      join above on folders.id = above.parent_folder_id and above.deleted_at is not null
    )
    select above.id
    from above
    where above.deleted_at is null
    order by above.depth
    limit 1
  )`;
}

/**
 * Hides bots from new visitors and retains all their content. Bots that are already archived or in the bin do not
 * change.
 */
export async function archiveBots(sql: Connection, botIds: readonly string[]): Promise<void> {
  await sql`
    update bots
    set is_archived = true,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = any(${[...botIds]}::uuid[])
      and not is_archived`;
}

/** Restores a bot from the archive. A bot in the bin does not change. */
export async function unarchiveBot(sql: Connection, botId: string): Promise<void> {
  await sql`
    update bots
    set is_archived = false,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${botId}
      and is_archived
      and deleted_at is null`;
}

/**
 * Marks a bot in the bin so that it can no longer be restored. The next clean-up erases it. Returns false if the bot is
 * not in the bin.
 */
export async function giveUpBot(sql: Sql, botId: string): Promise<boolean> {
  const rows = await sql`
    update bots
    set erase_after = clock()
    where id = ${botId}
      and deleted_at is not null
    returning id`;
  return rows.length === 1;
}
