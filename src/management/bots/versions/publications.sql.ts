import type { FlowVersion, StoredFlow } from "../../../core/flow/document.ts";
import type { FlowFacts } from "../../../core/flow/facts.ts";
import { limits } from "../../../limits/index.ts";
import { andSeen } from "../../../platform/database/seen.sql.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import { botEvents, publishedEvents } from "../../events/bot-events.sql.ts";

export type NewPublication = {
  readonly botId: string;
  readonly id: string;
  readonly publishedBy: string;
  readonly note: string | null;
  /** The public id to set if the bot has none. If another bot has this id, the statement violates `bots_public_id`. */
  readonly publicId: string;
  /** The accepted times of the bot's last change. If absent, any time is accepted. */
  readonly seen?: readonly Date[] | undefined;
  /** Whether chats that run on earlier versions move to the new version. */
  readonly movesChats: boolean;
  /** The version's share of new chats as a canary; null if the version is published for all visitors. */
  readonly canaryPercent: number | null;
  /**
   * The names of the linter's rules whose errors were overruled. A version that is published again retains the rules
   * that were overruled before.
   */
  readonly overruledRules?: readonly string[];
};

export type PublishedRow = {
  readonly number: number;
  readonly createdAt: Date;
  readonly publicId: string;
  readonly botUpdatedAt: Date;
};

/** A draft as it was read for publishing, with its revision. */
export type PublishedDraft = {
  readonly hash: Uint8Array;
  readonly flow: StoredFlow;
  readonly facts: FlowFacts;
  readonly revision: number;
};

/**
 * Publishes a flow under the bot's next number. A flow that is published repeatedly is stored only once. The bot's
 * `updatedAt` increases only if the bot gets its public id. Returns undefined if nothing was published: the bot is
 * missing or archived, its `updatedAt` is not in `seen`, or a canary has no published version.
 */
export async function publishFlow(
  sql: Sql,
  publication: NewPublication,
  { hash, flow, facts, revision }: PublishedDraft,
): Promise<PublishedRow | undefined> {
  return first(sql<PublishedRow[]>`
    with ${nextPublication(sql, publication)},
    flow as (
      insert into flows (bot_id, hash, content, facts)
      select bot.id, ${hash}, ${JSON.stringify(flow)}::text::json, ${JSON.stringify(facts)}::text::json
      from bot
      on conflict (bot_id, hash) do update set facts = excluded.facts, used_at = clock()
    ),
    publication as (
      insert into publications (bot_id, number, id, flow_hash, published_by, note, moves_chats_until, overruled_rules, draft_revision, is_only_canary)
      select bot.id, bot.number, ${publication.id}, ${hash}, ${publication.publishedBy}, ${publication.note}, ${movesUntil(sql, publication)},
        ${overruled(publication)}::text[], ${revision}::integer, ${publication.canaryPercent !== null}
      from bot
      returning created_at
    )
    ${publication.canaryPercent === null ? publishedEvents(sql) : sql``}
    select bot.number, bot.public_id, bot.updated_at as bot_updated_at, publication.created_at
    from bot, publication`);
}

function overruled({ overruledRules = [] }: NewPublication): string[] | null {
  return overruledRules.length === 0 ? null : [...overruledRules];
}

/**
 * Publishes the content of an earlier publication under the next number. Returns undefined if nothing was published:
 * there is no such publication, the bot is archived, or a canary has no published version.
 */
export async function republish(
  sql: Sql,
  publication: NewPublication,
  { number }: { number: number },
): Promise<(PublishedRow & { readonly version: FlowVersion }) | undefined> {
  return first(sql<(PublishedRow & { version: FlowVersion })[]>`
    with earlier as (
      select publications.flow_hash, publications.overruled_rules, publications.draft_revision, flows.content ->> 'version' as version
      from publications
      join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
      where publications.bot_id = ${publication.botId}
        and publications.number = ${number}
    ),
    ${nextPublication(sql, publication, sql`and exists (select from earlier)`)},
    publication as (
      insert into publications (bot_id, number, id, flow_hash, published_by, note, moves_chats_until, overruled_rules, draft_revision, is_only_canary)
      select bot.id, bot.number, ${publication.id}, earlier.flow_hash, ${publication.publishedBy}, ${publication.note}, ${movesUntil(sql, publication)},
        earlier.overruled_rules, earlier.draft_revision, ${publication.canaryPercent !== null}
      from bot, earlier
      returning created_at
    )
    ${publication.canaryPercent === null ? publishedEvents(sql) : sql``}
    select
      bot.number,
      bot.public_id,
      bot.updated_at as bot_updated_at,
      publication.created_at,
      earlier.version
    from bot, earlier, publication`);
}

/** Unpublishes the bot. Running chats continue. Returns false if the bot was not published. */
export async function unpublishBot(sql: Sql, botId: string): Promise<boolean> {
  const [from, id] = [sql`bot`, sql`bot.id`];
  const content = { publicId: sql`bot.public_id` };
  const rows = await sql`
    with bot as (
      update bots
      set publication_number = null,
        canary_number = null,
        canary_percent = null,
        canary_since = null
      where id = ${botId}
        and publication_number is not null
      returning id, public_id
    )
    ${botEvents(sql, { type: "bot.unpublished", from, botId: id, orderKey: id, content })}
    select
    from bot`;
  return rows.length === 1;
}

/**
 * Notifies the workspace's endpoints that publishing a draft was rejected. The problems are the names of rules or of
 * failed tests.
 */
export async function notifyFailedPublication(
  sql: Sql,
  { botId, userId, code, problems }: { botId: string; userId: string; code: string; problems: readonly string[] },
): Promise<void> {
  const [from, id] = [sql`bot`, sql`bot.id`];
  const content = {
    code: sql`${code}::text`,
    problems: sql`to_json(${[...problems]}::text[])`,
    userId: sql`${userId}::text`,
  };
  await sql`
    with bot as (
      select id
      from bots
      where id = ${botId}
    )
    ${botEvents(sql, { type: "publication.failed", from, botId: id, orderKey: id, content })}
    select`;
}

export type PublishedFlowRow = { readonly id: string; readonly createdAt: Date; readonly flow: StoredFlow };

/** Returns the published flow of a bot; undefined if the bot is archived or not published. */
export async function findPublishedFlow(sql: Sql, botId: string): Promise<PublishedFlowRow | undefined> {
  return first(sql<PublishedFlowRow[]>`
    select publications.id, publications.created_at, flows.content as flow
    from bots
    join publications on publications.bot_id = bots.id and publications.number = bots.publication_number
    join flows on flows.bot_id = bots.id and flows.hash = publications.flow_hash
    where bots.id = ${botId}
      and not bots.is_archived`);
}

export type PublicationRow = {
  readonly id: string;
  readonly number: number;
  readonly hash: string;
  readonly note: string | null;
  readonly overruledRules: string[];
  readonly publishedBy: string | null;
  readonly publishedByName: string | null;
  readonly isCurrent: boolean;
  readonly isCanary: boolean;
  /** Whether the version was never published. Such a version was the draft until a restore replaced it. */
  readonly isDraft: boolean;
  /** Whether the version was published only for a share of new chats, and never promoted. */
  readonly isOnlyCanary: boolean;
  readonly createdAt: Date;
};

/** Returns a bot's publications, newest first. */
export async function listPublications(
  sql: Sql,
  { botId, beforeNumber, limit }: { botId: string; beforeNumber: number | undefined; limit: number },
): Promise<PublicationRow[]> {
  return sql<PublicationRow[]>`
    select ${publicationColumns(sql)}
    from publications
    join bots on bots.id = publications.bot_id
    where publications.bot_id = ${botId}
      ${beforeNumber === undefined ? sql`` : sql`and publications.number < ${beforeNumber}`}
    order by publications.number desc
    limit ${limit}`;
}

/** Returns one publication of a bot with its flow; undefined if no publication has this number. */
export async function findPublication(
  sql: Sql,
  { botId, number }: { botId: string; number: number },
): Promise<(PublicationRow & { readonly flow: StoredFlow }) | undefined> {
  return first(sql<(PublicationRow & { flow: StoredFlow })[]>`
    select ${publicationColumns(sql)}, flows.content as flow
    from publications
    join bots on bots.id = publications.bot_id
    join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
    where publications.bot_id = ${botId}
      and publications.number = ${number}`);
}

/** Returns the number of the published version; undefined if the bot is not published. */
export async function findCurrentNumber(sql: Sql, botId: string): Promise<number | undefined> {
  const [row] = await sql<{ number: number | null }[]>`
    select publication_number as number
    from bots
    where id = ${botId}`;
  return row?.number ?? undefined;
}

function publicationColumns(sql: Sql) {
  return sql`
    publications.id,
    publications.number,
    encode(publications.flow_hash, 'hex') as hash,
    publications.note,
    coalesce(publications.overruled_rules, '{}') as overruled_rules,
    publications.published_by,
    (
      select users.name
      from users
      where users.id = publications.published_by
    ) as published_by_name,
    publications.number is not distinct from bots.publication_number as is_current,
    publications.number is not distinct from bots.canary_number as is_canary,
    publications.is_draft,
    publications.is_only_canary,
    publications.created_at`;
}

/**
 * Returns the time at which the publication stops moving chats, or null. By then, every step that was running at the
 * publication has ended.
 */
function movesUntil(sql: Sql, { movesChats }: NewPublication) {
  return movesChats ? sql`clock() + make_interval(mins => ${limits.moves.minutes})` : sql`null::timestamptz`;
}

/**
 * Returns the SQL that gives a publication its number. The bot's own counter gives concurrent publications different
 * numbers. A publication for all visitors ends a canary. A canary requires a published version.
 */
function nextPublication(sql: Sql, publication: NewPublication, condition = sql``) {
  const { canaryPercent } = publication;
  return sql`bot as (
      update bots
      set publication_count = publication_count + 1,
        ${canaryPercent === null ? sql`publication_number = publication_count + 1,` : sql``}
        canary_number = ${canaryPercent === null ? sql`null` : sql`publication_count + 1`},
        canary_percent = ${canaryPercent},
        canary_since = ${canaryPercent === null ? sql`null` : sql`clock()`},
        public_id = coalesce(public_id, ${publication.publicId}),
        updated_at = case
          when public_id is null then greatest(clock(), updated_at + interval '1 millisecond')
          else updated_at
        end
      where id = ${publication.botId}
        and not is_archived
        ${canaryPercent === null ? sql`` : sql`and publication_number is not null`}
        ${andSeen(sql, publication.seen)}
        ${condition}
      returning id, publication_count as number, public_id, updated_at
    )`;
}
