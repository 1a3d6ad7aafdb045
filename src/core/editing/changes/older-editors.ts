import { diffTexts } from "../text/edit.ts";
import { ChangeMisses, makeUndoably } from "./apply.ts";
import type { Change, ChangeSet, DraftDocument, EditChange } from "./change.ts";
import { type Committed, meets, placeOf } from "./footprint.ts";
import { openDraft } from "./open-draft.ts";
import { keyOf, naming } from "./things.ts";

/** Returns whether a change set contains an edit, which editors of earlier releases ignore. */
export function hasEdit({ changes }: { readonly changes: readonly Change[] }): boolean {
  return changes.some(({ op }) => op === "edit");
}

/**
 * Rewrites change sets from editors that do not support edits. A `set` of a text that `log` has edited becomes an edit,
 * so that characters typed by other authors are preserved. Other changes are returned unchanged. If a change does not
 * fit its draft, all sets are returned unchanged. `log` contains the sets since the base of `sets`, and `now` is the
 * draft after the whole log.
 */
export function withEdits(
  now: DraftDocument,
  log: readonly Committed[],
  sets: readonly ChangeSet[],
): readonly ChangeSet[] {
  try {
    const back = log.toReversed().flatMap(({ inverse }) => inverse);
    const base = openDraft(now);
    for (const change of back) makeUndoably(base, change);
    const edited = log.flatMap(({ changes }) => changes).filter((change) => change.op === "edit");
    return sets.map((set) => ({
      ...set,
      changes: set.changes.map((change): Change => {
        const text = change.op === "set" ? edited.find((edit) => liesIn(change, edit)) : undefined;
        const before = text && base.read(text, text.path);
        makeUndoably(base, change);
        return (text && editOf(text, before, base.read(text, text.path))) ?? change;
      }),
    }));
  } catch (error) {
    if (error instanceof ChangeMisses) return sets;
    throw error;
  }
}

/**
 * Converts change sets for clients that do not support edits. Each edit becomes a `set` with the full text from
 * `draft`, which is the result of all these sets. Edits of entries that `draft` does not contain are dropped.
 */
export function withoutEdits<SetOfChanges extends { readonly changes: readonly Change[] }>(
  draft: DraftDocument,
  sets: readonly SetOfChanges[],
): SetOfChanges[] {
  const open = openDraft(draft);
  return sets.map((set) => ({
    ...set,
    changes: set.changes.flatMap((change): Change[] => {
      if (change.op !== "edit") return [change];
      // An entry that does not exist was removed by a later set.
      if (change.id !== undefined && !open.find(change)) return [];
      const value = open.read(change, change.path);
      return [{ op: "set", ...naming(change), path: change.path, ...(value !== undefined && { value }) }];
    }),
  }));
}

/** Returns whether a change sets a text as a whole, or a value inside the text. */
function liesIn(change: Extract<Change, { op: "set" }>, text: EditChange): boolean {
  const [one, other] = [placeOf(change), placeOf(text)];
  return (
    keyOf(one.target) === keyOf(other.target) && one.path.length >= other.path.length && meets(one.path, other.path)
  );
}

function editOf(text: EditChange, before: unknown, after: unknown): EditChange | undefined {
  const edit = diffTexts(before, after, text.text);
  return edit && { op: "edit", ...naming(text), path: text.path, ...edit };
}
