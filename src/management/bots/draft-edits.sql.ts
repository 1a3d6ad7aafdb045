import type { Change, SetOrigin } from "../../core/editing/changes/change.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import type { Statements } from "../../platform/database/sql.ts";

/** A draft: the flow and the editor's data. */
export type StoredDraft = StoredFlow & { readonly editor: JsonObject | null };

/** A change set as the log stores it. */
export type LoggedSet = {
  readonly id: string;
  readonly title: string;
  readonly changes: readonly Change[];
  readonly inverse: readonly Change[];
  readonly origin?: SetOrigin | undefined;
};

/** Change sets to write into a draft, and the resulting draft. */
export type DraftEdit = {
  /** The revision that was read. If the draft has another revision, nothing is written. */
  readonly revision: number;
  readonly sets: readonly LoggedSet[];
  readonly draft: StoredDraft;
  readonly by: { readonly userId: string; readonly tokenId: string };
};

/** Returns the assignments and the condition that an edit adds to a statement that updates a bot. */
export function editedRow(sql: Statements, edit: DraftEdit | undefined) {
  if (!edit) return { assignments: sql``, condition: sql`` };
  return {
    assignments: sql`, revision = revision + ${edit.sets.length}`,
    condition: sql`and revision = ${edit.revision}`,
  };
}

/**
 * Returns a `with` query that logs the change sets if the query `bot` updated a row. The query `bot` must return `id`
 * and `updated_at`.
 */
export function editLog(sql: Statements, { revision, sets, draft, by }: DraftEdit) {
  const every = limits.editing.setsPerSnapshot;
  const last = revision + sets.length;
  const changes = sets.map((set) => JSON.stringify(set.changes));
  const inverses = sets.map((set) => JSON.stringify(set.inverse));
  const bytes = changes.map((text, index) => Buffer.byteLength(text) + Buffer.byteLength(inverses[index] ?? ""));
  const isSnapshot =
    Math.floor(revision / every) < Math.floor(last / every) ||
    bytes.some((count) => count > limits.editing.snapshotBytes);
  return sql`
    log as (
      insert into bot_changes (bot_id, revision, set_id, title, changes, inverse, bytes, origin, draft, user_id, token_id, created_at)
      select
        bot.id,
        ${revision}::integer + sets.place,
        sets.id,
        sets.title,
        sets.changes::json,
        sets.inverse::json,
        sets.bytes,
        sets.origin,
        case when ${revision}::integer + sets.place = ${last} then ${isSnapshot ? JSON.stringify(draft) : null}::text::json end,
        ${by.userId}::uuid,
        ${by.tokenId}::uuid,
        bot.updated_at
      from bot
      cross join unnest(
        ${sets.map(({ id }) => id)}::text[],
        ${sets.map(({ title }) => title)}::text[],
        ${changes}::text[],
        ${inverses}::text[],
        ${bytes}::integer[],
        ${sets.map(({ origin }) => origin ?? null)}::text[]
      ) with ordinality as sets (id, title, changes, inverse, bytes, origin, place)
    )`;
}
