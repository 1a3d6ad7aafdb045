import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { openDraft } from "../../../../core/editing/changes/open-draft.ts";
import { isSame } from "../../../../core/editing/changes/things.ts";
import { diffTexts, editText, kindAt } from "../../../../core/editing/text/edit.ts";
import { transform } from "../../../../core/editing/text/ops.ts";

/** The text of a field before the typing: others may have written in the text since. */
export type TypedOver = { readonly text: unknown };

/** A text with the typed letters: `now` is the text of others by now. */
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

/** Values of texts that are set, as the letters that come and go: others may write there, too. */
export function asEdits(draft: DraftDocument, changes: readonly Change[]): readonly Change[] {
  const open = openDraft(draft);
  return changes.map((change): Change => {
    if (change.op !== "set") return change;
    const { op: _, value, ...place } = change;
    const edit = diffTexts(open.read(change, change.path), value, kindAt(change.path));
    return edit ? { op: "edit", ...place, ...edit } : change;
  });
}
