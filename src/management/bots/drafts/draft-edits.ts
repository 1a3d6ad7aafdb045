import { invert } from "../../../core/editing/changes/apply.ts";
import { byId, type SetOrigin } from "../../../core/editing/changes/change.ts";
import { diffByTexts } from "../../../core/editing/changes/diff.ts";
import { tidyEditor } from "../../../core/editing/changes/things.ts";
import { flowOf } from "../../../core/flow/complete.ts";
import { type Dialect, settingsInDialect } from "../../../core/flow/dialect.ts";
import { findUnstorable } from "../../../core/flow/unstorable.ts";
import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";
import { limits } from "../../../limits/index.ts";
import { type Issue, invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { newId } from "../../../platform/ids.ts";
import type { Caller } from "../../access/access.ts";
import type { DraftEdit, StoredDraft } from "../draft-edits.sql.ts";

/** Returns the columns of a row that belong to the draft. */
export function draftOf(row: StoredDraft): StoredDraft {
  return { ...flowOf(row), editor: row.editor };
}

/** Returns a draft in the form that change sets refer to, with the field names of Parley's own API. */
export function documentOf(draft: StoredDraft): StoredDraft {
  return { ...draftOf(draft), settings: settingsInDialect("bot", draft.settings) };
}

type EditFacts = {
  readonly caller: Pick<Caller, "userId" | "tokenId">;
  readonly title: string;
  readonly origin?: SetOrigin;
};

/**
 * Returns the title and origin of a change set that restores a draft. The author's editor can undo this set like any
 * other set.
 */
export function restoring(what: { readonly version: number } | { readonly revision: number }) {
  const title = "version" in what ? `Restored version ${what.version}` : `Restored revision ${what.revision}`;
  return { title, origin: "restore" } as const;
}

/** Returns an edit that turns one draft into another. The edit has one change set, or none if the drafts are equal. */
export function editTo(
  before: StoredDraft & { readonly revision: number },
  after: StoredDraft,
  { caller, title, origin }: EditFacts,
): DraftEdit {
  const [old, now] = [documentOf(before), documentOf(after)];
  const changes = diffByTexts(old, now);
  const set = { id: newId(), title, changes, inverse: invert(old, changes), origin };
  return {
    revision: before.revision,
    sets: changes.length === 0 ? [] : [set],
    draft: draftOf(after),
    by: { userId: caller.userId, tokenId: caller.tokenId },
  };
}

/**
 * Returns the editor's data from a request to Parley's own API. Returns undefined for other requests and for requests
 * without such data: the stored data then stays as it is.
 */
export function editorIn(
  { editor }: { readonly editor?: JsonObject | null | undefined },
  dialect: Dialect,
): JsonObject | null | undefined {
  if (dialect !== "bot" || editor === undefined) return undefined;
  return readEditor(editor, "bot.editor");
}

/** Returns the editor's data in its stored form. Throws `request.invalid`. */
export function readEditor(editor: unknown, path: string): JsonObject | null {
  const issues = editorIssues(editor, path);
  if (issues.length > 0) throw invalidInput(issues);
  return tidyEditor(editor) ?? null;
}

function editorIssues(editor: unknown, path: string): Issue[] {
  if (editor === null || editor === undefined) return [];
  if (!isJsonObject(editor)) return [{ path, message: "must be an object or null" }];
  const unstorable = findUnstorable(editor, path);
  if (unstorable.length > 0) return unstorable;
  const lists = ["notes", "frames"].flatMap((key): Issue[] =>
    editor[key] === undefined || byId(editor[key])
      ? []
      : [{ path: `${path}.${key}`, message: "must be a list of objects, each with a unique `id`" }],
  );
  if (lists.length > 0) return lists;
  const bytes = Buffer.byteLength(JSON.stringify(editor));
  return bytes > limits.editing.editorBytes ? [{ path, message: "must have at most 1 MB as JSON" }] : [];
}
