import type { StoredFlow } from "../../../core/flow/document.ts";
import type { FlowFacts } from "../../../core/flow/facts.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import { publishedEvents } from "../../events/bot-events.sql.ts";

export type ImportedPublication = {
  readonly botId: string;
  readonly id: string;
  readonly number: number;
  /** The user who published the version. A user who is not a member of the bot's workspace is not stored. */
  readonly publishedBy: string | null;
  readonly note: string | null;
  readonly isDraft: boolean;
  readonly overruledRules: readonly string[];
  readonly createdAt: Date;
};

/**
 * Inserts a version from another service under its own number, and makes the bot's next version get a higher one.
 * Returns `known` if the bot already has this version, `taken` if another version of the bot has this number, and
 * undefined if there is no such bot or it is archived.
 */
export async function insertImportedPublication(
  sql: Sql,
  publication: ImportedPublication,
  { hash, flow, facts }: { readonly hash: Uint8Array; readonly flow: StoredFlow; readonly facts: FlowFacts },
): Promise<"added" | "known" | "taken" | undefined> {
  const { botId, number, overruledRules } = publication;
  const [row] = await sql<{ isAdded: boolean; isSame: boolean | null }[]>`
    with bot as (
      update bots
      set publication_count = greatest(publication_count, ${number})
      where id = ${botId}
        and not is_archived
      returning id, workspace_id
    ),
    flow as (
      insert into flows (bot_id, hash, content, facts)
      select bot.id, ${hash}, ${JSON.stringify(flow)}::text::json, ${JSON.stringify(facts)}::text::json
      from bot
      on conflict (bot_id, hash) do update set facts = excluded.facts, used_at = clock()
    ),
    added as (
      insert into publications (bot_id, number, id, flow_hash, published_by, note, is_draft, overruled_rules, created_at)
      select bot.id, ${number}, ${publication.id}, ${hash},
        (
          select user_id
          from members
          where members.workspace_id = bot.workspace_id
            and members.user_id = ${publication.publishedBy}::uuid
        ),
        ${publication.note}, ${publication.isDraft}, ${overruledRules.length === 0 ? null : [...overruledRules]}::text[], ${publication.createdAt}
      from bot
      on conflict (bot_id, number) do nothing
      returning 1
    )
    select
      exists (select from added) as is_added,
      (
        select flow_hash = ${hash}
        from publications
        where publications.bot_id = bot.id
          and publications.number = ${number}
      ) as is_same
    from bot`;
  if (!row) return undefined;
  if (row.isAdded) return "added";
  return row.isSame ? "known" : "taken";
}

export type Resumption = {
  readonly botId: string;
  readonly number: number;
  readonly canary: { readonly number: number; readonly percent: number } | null;
  /** The public id to set if the bot has none. If another bot has this id, the statement violates `bots_public_id`. */
  readonly publicId: string;
  readonly draft: { readonly hash: Uint8Array; readonly revision: number };
};

/**
 * Publishes existing versions of an unpublished bot, which keep their numbers. Returns undefined if the bot is
 * published or archived, or lacks one of the versions.
 */
export async function resumePublication(
  sql: Sql,
  { botId, number, canary, publicId, draft }: Resumption,
): Promise<{ readonly publicId: string } | undefined> {
  return first(sql<{ publicId: string }[]>`
    with bot as (
      update bots
      set publication_number = ${number},
        canary_number = ${canary?.number ?? null},
        canary_percent = ${canary?.percent ?? null},
        canary_since = ${canary === null ? sql`null` : sql`clock()`},
        public_id = coalesce(public_id, ${publicId}),
        updated_at = case
          when public_id is null then greatest(clock(), updated_at + interval '1 millisecond')
          else updated_at
        end
      where id = ${botId}
        and not is_archived
        and publication_number is null
        and (
          select count(*)
          from publications
          where publications.bot_id = bots.id
            and publications.number in (${number}, ${canary?.number ?? number})
            and not publications.is_draft
        ) = ${canary === null ? 1 : 2}
      returning id, publication_number as number, public_id
    ),
    -- Whether the draft has changes that are not published: no draft has the revision -1.
    compared as (
      update publications
      set draft_revision = case when publications.flow_hash = ${draft.hash} then ${draft.revision}::integer else -1 end
      from bot
      where publications.bot_id = bot.id
        and publications.number = bot.number
        and publications.draft_revision is null
    )
    ${publishedEvents(sql)}
    select public_id
    from bot`);
}
