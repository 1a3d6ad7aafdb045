import type { Change, DraftDocument, Path, Target } from "../../../core/editing/changes/change.ts";
import { meets, placeOf, targetOf } from "../../../core/editing/changes/footprint.ts";
import { type OpenDraft, openDraft } from "../../../core/editing/changes/open-draft.ts";
import { entriesOf, idOf, keyOf } from "../../../core/editing/changes/things.ts";
import { type Content, lengthOf } from "../../../core/editing/text/content.ts";
import { diffContents } from "../../../core/editing/text/difference.ts";
import { contentOf, kindAt } from "../../../core/editing/text/edit.ts";
import { positionBefore, type TextOp, transformPosition } from "../../../core/editing/text/ops.ts";
import type { Present, Step } from "../editor/index.ts";

/** A selection from `at` to the caret at `to`, in units of a text. */
export type Selected = { readonly at: number; readonly to: number };

/** A text of the flow, identified independently of its position in a list. */
export type TextPlace = { readonly target: Target; readonly path: Path };

/**
 * A person's selection in a text, in units of the service's text at `revision`. `place` is absent if the text no longer
 * exists.
 */
export type Tracked = Selected & {
  /** The message from which this selection was derived. */
  readonly said: string;
  readonly userId: string;
  readonly revision: number;
  readonly place: TextPlace | undefined;
};

/**
 * A change of the draft that may move positions in texts, with its author. `userId` is absent for the pending changes
 * of this tab.
 */
type Move = Pick<Step, "before" | "after" | "changes"> & { readonly userId?: string | undefined };

/** The service's state, and the edits that led to it. */
export type Known = {
  readonly revision: number;
  readonly base: DraftDocument;
  readonly steps: readonly Step[];
};

/**
 * Returns the selections of other people in texts, by the ids of their tabs. The selections that people reported are
 * adapted to the stored edits.
 *
 *     none ─ a selection is reported ─→ shown, adapted to all edits since the reported revision
 *     shown ─ an edit is stored ─→ shown, adapted to the edit
 *     shown ─ the text is removed ─→ none, until another selection is reported
 *     shown ─ the person leaves the text or the bot ─→ none
 *     any ─ a selection in an unknown newer revision is reported ─→ unchanged, until the revision is known
 */
export function track(
  tracked: ReadonlyMap<string, Tracked>,
  present: readonly Present[],
  known: Known,
): ReadonlyMap<string, Tracked> {
  const next = new Map<string, Tracked>();
  for (const { id, userId, at, text } of present) {
    if (!text || at === null) continue;
    const said = JSON.stringify([at, text]);
    const before = tracked.get(id);
    const isNew = before?.said !== said && text.revision <= known.revision;
    const draft = isNew ? draftAt(known, text.revision) : undefined;
    const place = draft && textIn(draft, at, text.path);
    const from = isNew ? { said, userId, revision: text.revision, place, at: text.at, to: text.to } : before;
    if (from) next.set(id, catchUp(from, known));
  }
  return next;
}

/**
 * Returns a person's selection in the shown draft, which includes the unsaved changes. Undefined if the text was
 * removed.
 */
export function seenIn({ place, at, to }: Tracked, pending: Move): Selected | undefined {
  if (!place) return undefined;
  const moved = moveSelected({ at, to }, place, { ...pending, puts: "after" });
  const content = textAt(pending.after, place);
  if (!moved || content === undefined) return undefined;
  const most = lengthOf(content);
  return { at: Math.min(moved.at, most), to: Math.min(moved.to, most) };
}

/**
 * Converts a selection in the shown draft to units of the service's text. Undefined unless the text exists in both
 * drafts.
 */
export function unseen(selected: Selected, place: TextPlace, pending: Move): Selected | undefined {
  if (textAt(pending.before, place) === undefined || textAt(pending.after, place) === undefined) return undefined;
  const all = movesOf(place, pending).toReversed();
  const back = (position: number): number => all.reduce((at, ops) => positionBefore(ops, at), position);
  return { at: back(selected.at), to: back(selected.to) };
}

/**
 * Converts a selection from one text to another, such as the text that a field still shows. Undefined if either text
 * cannot be read.
 */
export function betweenTexts(selected: Selected, from: unknown, to: unknown, path: Path): Selected | undefined {
  if (from === to) return selected;
  const kind = kindAt(path);
  const [one, other] = [contentOf(from, kind), contentOf(to, kind)];
  if (one === undefined || other === undefined) return undefined;
  const ops = diffContents(one, other);
  return { at: transformPosition(ops, selected.at), to: transformPosition(ops, selected.to) };
}

/**
 * Returns the place of the text at a path of a block, event, group or note; undefined if there is no such object. A
 * text in an item is identified by the item's id, because other people may insert items before the item.
 */
export function textIn(draft: DraftDocument, thingId: string, path: Path): TextPlace | undefined {
  const open = opened(draft);
  const of = (["block", "event", "group", "note"] as const).find((noun) => open.find({ of: noun, id: thingId }));
  if (!of) return undefined;
  const target: Target = { of, id: thingId };
  const [list, index, ...rest] = path;
  if (of !== "block" || list !== "items" || typeof index !== "number") return { target, path };
  const id = idOf(entriesOf(open.find(target)?.["items"])[index]);
  return id === undefined ? undefined : { target: { of: "item", id, in: thingId }, path: rest };
}

export function keyOfText({ target, path }: TextPlace): string {
  return `${keyOf(target)} ${JSON.stringify(path)}`;
}

/** Returns the content of a text; undefined if the text was removed. */
export function readText(draft: DraftDocument, { target, path }: TextPlace): unknown {
  const open = opened(draft);
  return open.find(target) ? open.read(target, path) : undefined;
}

function catchUp(tracked: Tracked, { steps, revision, base }: Known): Tracked {
  let now = tracked;
  for (const step of steps) {
    if (step.revision <= now.revision || !now.place) continue;
    const puts = step.userId === now.userId ? "before" : "after";
    const moved = moveSelected(now, now.place, { ...step, puts });
    now = { ...now, ...moved, place: moved && now.place, revision: step.revision };
  }
  const isThere = now.place !== undefined && now.revision === revision && textAt(base, now.place) !== undefined;
  return isThere ? now : { ...now, place: undefined };
}

/** Returns the draft at a revision; undefined if the known edits do not include the revision. */
function draftAt({ revision, base, steps }: Known, wanted: number): DraftDocument | undefined {
  if (wanted === revision) return base;
  const at = steps.findIndex((step) => step.revision === wanted);
  if (at >= 0) return steps[at]?.after;
  const [first] = steps;
  return first?.revision === wanted + 1 ? first.before : undefined;
}

function moveSelected(
  { at, to }: Selected,
  place: TextPlace,
  { puts, ...move }: Move & { readonly puts: "before" | "after" },
): Selected | undefined {
  if (textAt(move.before, place) === undefined || textAt(move.after, place) === undefined) return undefined;
  const all = movesOf(place, move);
  const forth = (position: number): number => all.reduce((now, ops) => transformPosition(ops, now, puts), position);
  return { at: forth(at), to: forth(to) };
}

/** Returns the edits of a text. If a new value was set, returns the difference between both values. */
function movesOf(place: TextPlace, { before, after, changes }: Move): readonly (readonly TextOp[])[] {
  if (readText(before, place) === readText(after, place)) return [];
  const key = keyOf(place.target);
  const touching = changes.filter((change) => touches(change, place, key));
  if (touching.length > 0 && touching.every((change) => change.op === "edit")) return touching.map(({ ops }) => ops);
  return [diffContents(textAt(before, place) ?? "", textAt(after, place) ?? "")];
}

function touches(change: Change, { path }: TextPlace, key: string): boolean {
  if (change.op !== "set" && change.op !== "edit") return keyOf(targetOf(change)) === key;
  const place = placeOf(change);
  return keyOf(place.target) === key && meets(place.path, path);
}

/** Returns a text as a list of units. A text that does not exist yet is empty. Undefined if its object was removed. */
function textAt(draft: DraftDocument, place: TextPlace): Content | undefined {
  const open = opened(draft);
  if (!open.find(place.target)) return undefined;
  return contentOf(open.read(place.target, place.path), kindAt(place.path));
}

const openedDrafts = new WeakMap<DraftDocument, OpenDraft>();

/** Drafts are immutable, so each draft is indexed only once. */
function opened(draft: DraftDocument): OpenDraft {
  const known = openedDrafts.get(draft) ?? openDraft(draft);
  openedDrafts.set(draft, known);
  return known;
}
