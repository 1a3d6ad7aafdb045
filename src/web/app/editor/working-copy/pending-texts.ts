import { apply } from "../../../../core/editing/changes/apply.ts";
import type { Change, ChangeSet, DraftDocument, EditChange } from "../../../../core/editing/changes/change.ts";
import { hasEdit } from "../../../../core/editing/changes/older-editors.ts";
import { openDraft } from "../../../../core/editing/changes/open-draft.ts";
import { isSame } from "../../../../core/editing/changes/things.ts";
import { compose } from "../../../../core/editing/text/ops.ts";
import { asDraft, frozen, makeable, type Others } from "./replica.ts";
import type { Issue } from "./transport.ts";

type Place = Pick<EditChange, "of" | "id" | "in" | "path">;

/** A text with unsaved typing, with its value before the typing. */
export type KeptText = Place & { readonly value?: unknown };

/**
 * Combines two changes of the same field into one: the last value, or the combined edits of a text. Returns undefined
 * for other changes.
 */
export function typedOn(before: readonly Change[], more: readonly Change[]): readonly Change[] | undefined {
  const [a, b] = [before[0], more[0]];
  if (before.length !== 1 || more.length !== 1 || !a || !b || !("path" in a) || !("path" in b)) return undefined;
  if (!isSame(placeOf(a), placeOf(b))) return undefined;
  if (a.op === "set" && b.op === "set") return more;
  return a.op === "edit" && b.op === "edit" ? [{ ...b, ops: compose(a.ops, b.ops) }] : undefined;
}

/** Whether a service of an earlier release refused a change set because the release does not support edits of texts. */
export function isOfOlderService(issues: readonly Issue[], sets: readonly ChangeSet[]): boolean {
  return issues.some(({ path }) => /\.changes\[\d+\]\.op$/.test(path)) && sets.some(hasEdit);
}

/** Replaces text edits with whole texts, for services of earlier releases. */
export function withWholeTexts(base: DraftDocument, sets: readonly ChangeSet[]): readonly ChangeSet[] {
  let view = base;
  return sets.map((set) => {
    view = asDraft(apply(view, set.changes));
    return frozen(set, view);
  });
}

/** Returns the texts that pending change sets edit, with their values before these edits. */
export function textsBelow(base: DraftDocument, pending: readonly ChangeSet[]): readonly KeptText[] {
  if (!pending.some(hasEdit)) return [];
  const draft = openDraft(base);
  const places = new Map<string, KeptText>();
  for (const change of pending.flatMap(({ changes }) => changes)) {
    if (change.op !== "edit") continue;
    const place = placeOf(change);
    const key = JSON.stringify(place);
    const value = draft.read(change, change.path);
    if (!places.has(key)) places.set(key, { ...place, ...(value !== undefined && { value }) });
  }
  return [...places.values()];
}

/**
 * Returns the differences between the stored and the current texts as other people's edits. Used if the actual edits
 * are no longer available.
 */
export function othersOf(texts: readonly KeptText[], now: DraftDocument): readonly Others[] {
  const draft = openDraft(now);
  const changed = texts.filter((text) => {
    const isThere = text.id === undefined || draft.find(text) !== undefined;
    return isThere && !isSame(draft.read(text, text.path), text.value);
  });
  if (changed.length === 0) return [];
  const changes = changed.map((text): Change => {
    const value = draft.read(text, text.path);
    return { op: "set", ...placeOf(text), ...(value !== undefined && { value }) };
  });
  const inverse = changed.map((text): Change => ({ op: "set", ...text })).reverse();
  return [{ changes, inverse, by: null, at: "" }];
}

/** Rebuilds the draft as it was before other people's changes, with the pending changes applied as far as possible. */
export function asSeen(base: DraftDocument, others: readonly Others[], pending: readonly ChangeSet[]): DraftDocument {
  const before = others.flatMap(({ inverse }) => inverse);
  const changes = makeable(base, [...before, ...pending.flatMap((set) => set.changes)]);
  return asDraft(apply(base, changes));
}

function placeOf({ of, id, in: within, path }: Place): Place {
  return { of, ...(id !== undefined && { id }), ...(within !== undefined && { in: within }), path };
}
