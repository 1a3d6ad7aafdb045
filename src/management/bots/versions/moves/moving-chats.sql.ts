import { bulk, smallint, uuid } from "../../../../platform/database/bulk.ts";
import { endedClaim } from "../../../../platform/database/ended-claim.ts";
import { countOf, first, type Sql } from "../../../../platform/database/sql.ts";
import { shardOf } from "../../../../platform/ids.ts";

/**
 * Marks up to `limit` chats that a publication moves from earlier versions, and returns their number. A marked chat
 * without a claim gets an expired claim, so that no process runs it from its cache and the next step reads the mark. A
 * step in progress removes that claim. Its chat is therefore marked again while the publication moves chats.
 */
export async function markMovingChats(
  sql: Sql,
  { botId, limit }: { botId: string | undefined; limit: number },
): Promise<number> {
  return countOf(sql`
    with moving as (
      select p.bot_id, p.number
      from publications p
      join bots b on b.id = p.bot_id and b.publication_number = p.number
      where p.moves_chats_until is not null
        and p.moves_chats_until > clock()
        ${botId === undefined ? sql`` : sql`and p.bot_id = ${botId}`}
    ),
    marked as (
      select s.shard, s.id, m.number
      from moving m
      join sessions s on s.bot_id = m.bot_id
      where ${isRunning(sql)}
        and s.publication_number < m.number
        and (s.moving_to is distinct from m.number or s.claim_until is null)
      limit ${limit}
      for update of s skip locked
    )
    update sessions s
    set moving_to = m.number,
      claim_until = coalesce(s.claim_until, ${endedClaim})
    from marked m
    where s.shard = m.shard
      and s.id = m.id`);
}

/**
 * Returns the flow of the version to which running chats move; undefined if this version is no longer the published
 * version, or if the bot is archived.
 */
export async function findMoveTarget(
  sql: Sql,
  { botId, number }: { botId: string; number: number },
): Promise<{ readonly flowHash: string } | undefined> {
  return first(sql<{ flowHash: string }[]>`
    select encode(p.flow_hash, 'hex') as flow_hash
    from bots b
    join publications p on p.bot_id = b.id and p.number = b.publication_number
    where b.id = ${botId}
      and p.number = ${number}
      and not b.is_archived`);
}

/** Returns the number of a bot's newest version with this flow, or undefined. */
export async function findNumberOfFlow(
  sql: Sql,
  { botId, flowHash }: { botId: string; flowHash: string },
): Promise<number | undefined> {
  const version = await first(sql<{ number: number }[]>`
    select number
    from publications
    where bot_id = ${botId} and flow_hash = decode(${flowHash}, 'hex')
    order by number desc
    limit 1`);
  return version?.number;
}

/** Returns the published version of a bot; undefined if the bot is archived or not published. */
export async function findMetVersion(
  sql: Sql,
  botId: string,
): Promise<{ readonly number: number; readonly flowHash: string } | undefined> {
  return first(sql<{ number: number; flowHash: string }[]>`
    select p.number, encode(p.flow_hash, 'hex') as flow_hash
    from bots b
    join publications p on p.bot_id = b.id and p.number = b.publication_number
    where b.id = ${botId}
      and not b.is_archived`);
}

/**
 * Marks one chat to move at its next input. Returns false if a step has the chat's claim, if a step was saved since the
 * chat was read, or if the chat has ended. The caller must then check again whether the chat may move.
 */
export async function markMovingChat(
  sql: Sql,
  { sessionId, revision, number }: { sessionId: string; revision: number; number: number },
): Promise<boolean> {
  const { count } = await sql`
    update sessions s
    set moving_to = ${number},
      claim_until = coalesce(s.claim_until, ${endedClaim})
    where s.shard = ${shardOf(sessionId)}
      and s.id = ${sessionId}
      and s.revision = ${revision}
      and ${isRunning(sql)}
      and (s.claim_until is null or s.claim_until <= clock())`;
  return count === 1;
}

export type RunningChat = {
  readonly id: string;
  readonly stateBytes: number;
};

/** Returns visitors' running chats on any version of a bot, up to `limit`. */
export async function listRunningChats(
  sql: Sql,
  { botId, limit }: { botId: string; limit: number },
): Promise<RunningChat[]> {
  return sql<RunningChat[]>`
    select s.id, octet_length(s.state) as state_bytes
    from sessions s
    where s.bot_id = ${botId}
      and ${isRunning(sql)}
    limit ${limit}`;
}

export type RunningState = {
  readonly publicationNumber: number;
  readonly flowHash: string;
  readonly state: string;
};

const chatRows = bulk<RunningChat>({ shard: smallint(({ id }) => shardOf(id)), id: uuid(({ id }) => id) });

/** Returns the states of the given chats that are still running. */
export async function readRunningChats(sql: Sql, chats: readonly RunningChat[]): Promise<RunningState[]> {
  return sql<RunningState[]>`
    select s.publication_number, encode(s.flow_hash, 'hex') as flow_hash, s.state
    from ${chatRows(sql, chats)} as i
    join sessions s on s.shard = i.shard and s.id = i.id
    where ${isRunning(sql)}`;
}

/** Returns the SQL condition that the session `s` is a visitor's chat that can continue. */
function isRunning(sql: Sql) {
  return sql`s.publication_number is not null
        and s.result_id is not null
        and not s.is_ended
        and s.expires_at > clock()`;
}
