import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { openDraft } from "../../../../core/editing/changes/open-draft.ts";
import { isSame, valueAtPath } from "../../../../core/editing/changes/things.ts";
import { diffTexts, editText, kindAt } from "../../../../core/editing/text/edit.ts";
import { transform } from "../../../../core/editing/text/ops.ts";
import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import { changesOfBlock, changesOfEvent, type Made, objectWith, type Refused } from "./command.ts";

/** The text of a field before the typing. Other people may have edited the text since. */
export type TypedOver = { readonly text: unknown };

/** A value that an author typed or chose in a field. `title` is the title of the field, for the history. */
export type Setting = {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
  readonly over?: TypedOver | undefined;
  readonly title?: string | undefined;
};

/**
 * Returns the changes that set a value in a block or an event, or a refusal if the block or event was removed. The id
 * cannot be changed.
 */
export function setIn(
  draft: DraftDocument,
  of: "block" | "event",
  before: JsonObject | undefined,
  { path, value, over }: Setting,
): Made | Refused {
  if (!before) return { refused: "gone" };
  const typed = over ? typedInto(valueAtPath(before, path), { over, value, path }) : value;
  const after = { ...objectWith(before, path, typed), id: before["id"] };
  const changes = (of === "block" ? changesOfBlock : changesOfEvent)(before, after);
  return { changes: over ? asEdits(draft, changes) : changes, field: `${of}/${before["id"]}/${JSON.stringify(path)}` };
}

/**
 * Returns the current text with the typed changes merged in, or the typed value if the values cannot be merged as
 * texts. `now` is the current text, including the edits of other people.
 */
export function typedInto(
  now: unknown,
  {
    over,
    value,
    path,
  }: { readonly over: TypedOver; readonly value: unknown; readonly path: readonly (string | number)[] },
): unknown {
  if (isSame(now, over.text)) return value;
  const kind = kindAt(path);
  const [mine, theirs] = [diffTexts(over.text, value, kind), diffTexts(over.text, now, kind)];
  return mine && theirs ? editText(now, { ...mine, ops: transform(mine.ops, theirs.ops) }) : value;
}

/** Converts new values of texts to insertions and deletions, because other people may be editing the same text. */
export function asEdits(draft: DraftDocument, changes: readonly Change[]): readonly Change[] {
  const open = openDraft(draft);
  return changes.map((change): Change => {
    if (change.op !== "set") return change;
    const { op: _, value, ...place } = change;
    const edit = diffTexts(open.read(change, change.path), value, kindAt(change.path));
    return edit ? { op: "edit", ...place, ...edit } : change;
  });
}
