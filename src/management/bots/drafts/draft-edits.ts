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

/** The draft within a row that has more columns. */
export function draftOf(row: StoredDraft): StoredDraft {
  return { ...flowOf(row), editor: row.editor };
}

/** A draft in the form that change sets refer to: in the names of our own paths. */
export function documentOf(draft: StoredDraft): StoredDraft {
  return { ...draftOf(draft), settings: settingsInDialect("bot", draft.settings) };
}

type EditFacts = {
  readonly caller: Pick<Caller, "userId" | "tokenId">;
  readonly title: string;
  readonly origin?: SetOrigin;
};

/** The title and origin of a set that restores a draft. The author's editor can undo it like any other change. */
export function restoring(what: { readonly version: number } | { readonly revision: number }) {
  const title = "version" in what ? `Restored version ${what.version}` : `Restored revision ${what.revision}`;
  return { title, origin: "restore" } as const;
}

/** The difference between two drafts as one change set, or as none if they are equal. */
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

/** The editor's data as sent to our own paths; existing clients have none. Undefined keeps the stored data. */
export function editorIn(
  { editor }: { readonly editor?: JsonObject | null | undefined },
  dialect: Dialect,
): JsonObject | null | undefined {
  if (dialect !== "bot" || editor === undefined) return undefined;
  return readEditor(editor, "bot.editor");
}

/** The editor's data in its stored form. Throws `request.invalid`. */
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
      : [{ path: `${path}.${key}`, message: "must be a list of objects, each with an `id` of its own" }],
  );
  if (lists.length > 0) return lists;
  const bytes = Buffer.byteLength(JSON.stringify(editor));
  return bytes > limits.editing.editorBytes ? [{ path, message: "must have at most 1 MB as JSON" }] : [];
}
