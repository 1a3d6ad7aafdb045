import type { Position } from "./database/position.ts";
import type { Sql } from "./database/sql.ts";

export type BotSummaryRow = {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly workspaceId: string;
  readonly folderId: string | null;
  readonly publicId: string | null;
  readonly isClosed: boolean;
  readonly publishedBotId: string | null;
  /** How the listing user collaborates on it. */
  readonly collaboration: "READ" | "WRITE" | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type BotList = {
  readonly workspaceId: string;
  readonly folderId: string | null | undefined;
  readonly userId: string;
  readonly after: Position | undefined;
  readonly limit: number;
};

/**
 * A workspace's bots, newest first: all of them, those in a folder, or with `null` those in none. These have their folder
 * in the order because PostgreSQL would sort all of them, instead of reading the index.
 */
export async function listBots(sql: Sql, list: BotList): Promise<BotSummaryRow[]> {
  const { folderId } = list;
  return sql<BotSummaryRow[]>`
    select ${summary(sql, list.userId)}
    from bots
    where bots.workspace_id = ${list.workspaceId}
      ${inFolder(sql, folderId)}
      and not bots.is_archived
      ${olderThan(sql, list.after)}
    order by ${folderId === null ? sql`bots.folder_id,` : sql``} bots.created_at desc, bots.id desc
    limit ${list.limit}`;
}

/** As `listBots`, only the bots that the user collaborates on; they are few, so they are found first and then sorted. */
export async function listSharedBots(sql: Sql, list: BotList): Promise<BotSummaryRow[]> {
  return sql<BotSummaryRow[]>`
    select ${summary(sql, list.userId)}
    from collaborators
    join bots on bots.id = collaborators.bot_id
    where collaborators.user_id = ${list.userId}
      and bots.workspace_id = ${list.workspaceId}
      ${inFolder(sql, list.folderId)}
      and not bots.is_archived
      ${olderThan(sql, list.after)}
    order by bots.created_at desc, bots.id desc
    limit ${list.limit}`;
}

/** Looks up by key for each row shown, so that no plan can begin with all collaborations or publications. */
function summary(sql: Sql, userId: string) {
  return sql`
    bots.id,
    bots.name,
    bots.icon,
    bots.workspace_id,
    bots.folder_id,
    bots.public_id,
    bots.is_closed,
    (
      select publications.id
      from publications
      where publications.bot_id = bots.id
        and publications.number = bots.publication_number
    ) as published_bot_id,
    (
      select mine.type
      from collaborators as mine
      where mine.bot_id = bots.id
        and mine.user_id = ${userId}
    ) as collaboration,
    bots.created_at,
    bots.updated_at`;
}

function inFolder(sql: Sql, folderId: string | null | undefined) {
  if (folderId === undefined) return sql``;
  return folderId === null ? sql`and bots.folder_id is null` : sql`and bots.folder_id = ${folderId}`;
}

function olderThan(sql: Sql, after: Position | undefined) {
  return after ? sql`and (bots.created_at, bots.id) < (${after.createdAt}, ${after.id})` : sql``;
}
