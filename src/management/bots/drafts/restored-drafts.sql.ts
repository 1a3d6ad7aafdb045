import type { StoredFlow } from "../../../core/flow/document.ts";
import type { FlowFacts } from "../../../core/flow/facts.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { type DraftEdit, editedRow, editLog } from "../draft-edits.sql.ts";

type Restoring = {
  readonly botId: string;
  /** The `updatedAt` of the draft that was read. The draft is not replaced if it was written since. */
  readonly seenUpdatedAt: Date;
  /** The hash of the flow that becomes the draft. */
  readonly hash: Uint8Array;
  /** The edit that turns the draft into the flow. */
  readonly edit: DraftEdit;
  readonly replaced: { readonly hash: Uint8Array; readonly flow: StoredFlow; readonly facts: FlowFacts };
  /** Keys of the imported file that no code reads. If absent, the bot keeps the keys that it has. */
  readonly extra?: JsonObject | null;
  /** The version that stores the replaced draft. */
  readonly kept: { readonly id: string; readonly by: string; readonly note: string };
};

/**
 * Replaces the bot's draft with a flow. Stores the replaced draft as the bot's next version, unless a version already
 * contains it, and returns that version's number. Writes nothing and returns undefined if the draft was written since,
 * or if the bot is archived or does not exist.
 */
export async function restoreDraft(
  sql: Sql,
  { botId, seenUpdatedAt, hash, replaced, edit, extra, kept }: Restoring,
): Promise<number | undefined> {
  const { draft: flow } = edit;
  const edited = editedRow(sql, edit);
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const [row] = await sql<{ number: number }[]>`
    with known as (
      select number
      from publications
      where bot_id = ${botId}
        and flow_hash = ${replaced.hash}
      order by number desc
      limit 1
    ),
    bot as (
      update bots
      set version = ${flow.version},
        events = ${json(flow.events)}::text::json,
        groups = ${json(flow.groups)}::text::json,
        edges = ${json(flow.edges)}::text::json,
        variables = ${json(flow.variables)}::text::json,
        theme = ${json(flow.theme)}::text::json,
        settings = ${json(flow.settings)}::text::json,
        editor = ${json(flow.editor)}::text::json,
        ${extra === undefined ? sql`` : sql`extra = ${json(extra)}::text::json,`}
        publication_count = case when exists (select from known) then publication_count else publication_count + 1 end,
        updated_at = greatest(clock(), updated_at + interval '1 millisecond')
        ${edited.assignments}
      where id = ${botId}
        and not is_archived
        and updated_at = ${seenUpdatedAt}
        ${edited.condition}
      returning id, publication_count as number, revision, updated_at
    ),
    flow as (
      insert into flows (bot_id, hash, content, facts)
      select bot.id, ${replaced.hash}, ${json(replaced.flow)}::text::json, ${json(replaced.facts)}::text::json
      from bot
      where not exists (select from known)
      on conflict (bot_id, hash) do update set facts = excluded.facts, used_at = clock()
    ),
    publication as (
      insert into publications (bot_id, number, id, flow_hash, published_by, note, is_draft, draft_revision)
      select bot.id, bot.number, ${kept.id}, ${replaced.hash}, ${kept.by}, ${kept.note}, true, ${edit.revision}::integer
      from bot
      where not exists (select from known)
    ),
    -- The draft is again what these hold.
    held as (
      update publications
      set draft_revision = bot.revision
      from bot
      where publications.bot_id = bot.id
        and publications.flow_hash = ${hash}
    )
    ${edit.sets.length > 0 ? sql`, ${editLog(sql, edit)}` : sql``}
    select coalesce((select number from known), bot.number) as number
    from bot`;
  return row?.number;
}
