import type { FlowVersion, StoredFlow } from "../flow/document.ts";
import type { FlowFacts } from "../flow/facts.ts";
import { publishedEvents } from "./chat/save-events.ts";
import type { Sql } from "./database/sql.ts";

export type NewPublication = {
  readonly botId: string;
  readonly id: string;
  readonly publishedBy: string;
  readonly note: string | null;
  /** Taken when the bot has none; when it belongs to another bot, the statement violates `bots_public_id`. */
  readonly publicId: string;
};

export type PublishedRow = {
  readonly number: number;
  readonly createdAt: Date;
  readonly publicId: string;
  readonly botUpdatedAt: Date;
};

/**
 * Publishes a flow as the bot's next number. The flow is kept once however often it is published. The bot's `updatedAt`
 * grows only when it gets its public id here. Undefined when there is no such bot.
 */
export async function publishFlow(
  sql: Sql,
  publication: NewPublication,
  { hash, flow, facts }: { hash: Uint8Array; flow: StoredFlow; facts: FlowFacts },
): Promise<PublishedRow | undefined> {
  const [row] = await sql<PublishedRow[]>`
    with ${nextPublication(sql, publication)},
    flow as (
      insert into flows (bot_id, hash, content, facts)
      select bot.id, ${hash}, ${JSON.stringify(flow)}::text::json, ${JSON.stringify(facts)}::text::json
      from bot
      on conflict (bot_id, hash) do update set facts = excluded.facts, used_at = clock()
    ),
    publication as (
      insert into publications (bot_id, number, id, flow_hash, published_by, note)
      select bot.id, bot.number, ${publication.id}, ${hash}, ${publication.publishedBy}, ${publication.note}
      from bot
      returning created_at
    )
    ${publishedEvents(sql)}
    select bot.number, bot.public_id, bot.updated_at as bot_updated_at, publication.created_at
    from bot, publication`;
  return row;
}

/** Publishes again what an earlier publication of the bot holds, as the next number. Undefined when there is none. */
export async function republish(
  sql: Sql,
  publication: NewPublication,
  { number }: { number: number },
): Promise<(PublishedRow & { readonly version: FlowVersion }) | undefined> {
  const [row] = await sql<(PublishedRow & { version: FlowVersion })[]>`
    with earlier as (
      select publications.flow_hash, flows.content ->> 'version' as version
      from publications
      join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
      where publications.bot_id = ${publication.botId}
        and publications.number = ${number}
    ),
    ${nextPublication(sql, publication, sql`and exists (select from earlier)`)},
    publication as (
      insert into publications (bot_id, number, id, flow_hash, published_by, note)
      select bot.id, bot.number, ${publication.id}, earlier.flow_hash, ${publication.publishedBy}, ${publication.note}
      from bot, earlier
      returning created_at
    )
    ${publishedEvents(sql)}
    select
      bot.number,
      bot.public_id,
      bot.updated_at as bot_updated_at,
      publication.created_at,
      earlier.version
    from bot, earlier, publication`;
  return row;
}

/** Takes the bot from visitors; chats that run go on. False when it was not published. */
export async function unpublishBot(sql: Sql, botId: string): Promise<boolean> {
  const rows = await sql`
    update bots
    set publication_number = null
    where id = ${botId}
      and publication_number is not null
    returning id`;
  return rows.length === 1;
}

export type PublishedFlowRow = { readonly id: string; readonly createdAt: Date; readonly flow: StoredFlow };

/** The flow that visitors meet, or undefined when the bot is not published. */
export async function findPublishedFlow(sql: Sql, botId: string): Promise<PublishedFlowRow | undefined> {
  const [row] = await sql<PublishedFlowRow[]>`
    select publications.id, publications.created_at, flows.content as flow
    from bots
    join publications on publications.bot_id = bots.id and publications.number = bots.publication_number
    join flows on flows.bot_id = bots.id and flows.hash = publications.flow_hash
    where bots.id = ${botId}
      and not bots.is_archived`;
  return row;
}

export type PublicationRow = {
  readonly id: string;
  readonly number: number;
  readonly hash: string;
  readonly note: string | null;
  readonly publishedBy: string | null;
  readonly isCurrent: boolean;
  readonly createdAt: Date;
};

/** A bot's publications, newest first. */
export async function listPublications(
  sql: Sql,
  { botId, beforeNumber, limit }: { botId: string; beforeNumber: number | undefined; limit: number },
): Promise<PublicationRow[]> {
  return sql<PublicationRow[]>`
    select
      publications.id,
      publications.number,
      encode(publications.flow_hash, 'hex') as hash,
      publications.note,
      publications.published_by,
      publications.number is not distinct from bots.publication_number as is_current,
      publications.created_at
    from publications
    join bots on bots.id = publications.bot_id
    where publications.bot_id = ${botId}
      ${beforeNumber === undefined ? sql`` : sql`and publications.number < ${beforeNumber}`}
    order by publications.number desc
    limit ${limit}`;
}

/** The bot counts up by itself, so that two who publish at once get two numbers. */
function nextPublication(sql: Sql, publication: NewPublication, condition = sql``) {
  return sql`bot as (
      update bots
      set publication_count = publication_count + 1,
        publication_number = publication_count + 1,
        public_id = coalesce(public_id, ${publication.publicId}),
        updated_at = case
          when public_id is null then greatest(clock(), updated_at + interval '1 millisecond')
          else updated_at
        end
      where id = ${publication.botId}
        and not is_archived
        ${condition}
      returning id, publication_number as number, public_id, updated_at
    )`;
}
