import { entriesOf, idOf } from "../../../core/editing/changes/things.ts";
import { type Outlet, outletOfEvent, outletsOfBlock } from "../../../core/editing/references/outlets.ts";
import { referencesIn } from "../../../core/editing/references/references.ts";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../../../core/interpreter/flow.ts";
import { isWayOut } from "../../../core/interpreter/schemas/own-keys.ts";
import { isGroupLocked } from "../editor/commands/locks.ts";
import { framesIn, notesIn } from "../editor/commands/surroundings.ts";
import type { Store } from "../editor/store.ts";
import { lineOfBlock, lineOfItem } from "../forms/block-line.ts";
import type { BlockType } from "../forms/index.ts";
import { wayOutLine } from "../forms/way-out.ts";
import canvasWords from "../words/en/canvas.json";
import canvasActWords from "../words/en/canvas-act.json";
import { currentWords, type WordsOf } from "../words/language.ts";
import type { Row } from "./rows.ts";

/** The texts of a row in the outline. */
export type Facts = {
  readonly what: string;
  readonly icon: string;
  /** The family of the block's type. */
  readonly family?: string | undefined;
  readonly says: string;
  readonly savesTo: string;
  readonly leadsTo: string;
  /** Whether the target was removed. */
  readonly isBroken: boolean;
};

export type Around = {
  readonly store: Store;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly words: WordsOf<"outline">["outline"];
  readonly eventNames: Readonly<Record<string, string>>;
  /** The names of the linked bots by id. */
  readonly bots: ReadonlyMap<string, string>;
};

/**
 * Returns the texts of a row, or undefined if its object was removed. Reads signals, so that the calling component is
 * rendered again when a text changes.
 */
export function factsOf(row: Row, around: Around): Facts | undefined {
  switch (row.kind) {
    case "event":
      return factsOfEvent(row, around);
    case "group":
      return factsOfGroup(row, around);
    case "block":
      return factsOfBlock(row, around);
    case "item":
      return factsOfItem(row, around);
    case "way":
      return factsOfWay(row, around);
    case "note":
    case "frame":
      return factsOfBeside(row, around);
  }
}

function factsOfEvent({ id }: Row, around: Around): Facts | undefined {
  const event = around.store.event(id).value;
  if (!event) return undefined;
  const outlet = outletOfEvent(event);
  const type = textAt(event, "type") ?? "";
  return {
    what: around.eventNames[type] ?? type,
    icon: around.types?.get(type)?.editor.icon ?? (type === "start" ? "play" : "radio"),
    family: "events",
    says: textAt(event, "options", "command") ?? "",
    savesTo: variablesWritten(event, around.store),
    ...leadOf(outlet, around, around.words.nowhere),
  };
}

function factsOfGroup({ id, isUnreachable }: Row, { store, words }: Around): Facts | undefined {
  const group = store.group(id).value;
  if (!group) return undefined;
  const count = entriesOf(group["blocks"]).length;
  const isLocked = isGroupLocked(store.draft.value, id);
  return {
    what: titleOf(group, words),
    icon: "folder",
    says: [
      words.blocks({ count }),
      ...(isUnreachable ? [words.unreachable] : []),
      ...(isLocked ? [currentWords(canvasWords).locked] : []),
    ].join(" · "),
    ...{ savesTo: "", leadsTo: "", isBroken: false },
  };
}

function factsOfBeside({ kind, id }: Row, { store }: Around): Facts | undefined {
  const words = currentWords(canvasActWords);
  const draft = store.draft.value;
  const said =
    kind === "note"
      ? notesIn(draft).find((note) => note.id === id)?.text
      : framesIn(draft).find((frame) => frame.id === id)?.title;
  if (said === undefined) return undefined;
  return {
    what: kind === "note" ? words.note.name : words.frame.name,
    icon: kind === "note" ? "sticky-note" : "frame",
    says: said.replaceAll(/\s+/g, " "),
    ...{ savesTo: "", leadsTo: "", isBroken: false },
  };
}

function factsOfBlock({ id, position, size }: Row, around: Around): Facts | undefined {
  const { store, types, words } = around;
  const placed = store.block(id).value;
  if (!placed) return undefined;
  const { block } = placed;
  const type = textAt(block, "type") ?? "";
  const known = types?.get(type);
  const own = outletsOfBlock(block).find(({ kind }) => kind === "own");
  const jump = referencesIn(block).find(({ to, how }) => to === "group" && how === "goes");
  const byItems = entriesOf(block["items"]).some((item) => textAt(item, "outgoingEdgeId") !== undefined);
  const otherwise = position < size ? "" : byItems ? "" : words.ends;
  const lead =
    jump && own?.edgeId === undefined
      ? { leadsTo: groupTitle(jump.value, around), isBroken: false }
      : leadOf(own, around, otherwise);
  return {
    what: known?.editor.name ?? type,
    icon: known?.editor.icon ?? "square-dashed",
    family: known?.editor.family,
    says: says(block, around),
    savesTo: variablesWritten(block, store),
    leadsTo: byItems && lead.leadsTo !== "" ? `${words.otherwise}: ${lead.leadsTo}` : lead.leadsTo,
    isBroken: lead.isBroken,
  };
}

function factsOfItem({ id, blockId = "", position }: Row, around: Around): Facts | undefined {
  const { store, types, words } = around;
  const block = store.block(blockId).value?.block;
  const item = block && entriesOf(block["items"]).find((entry) => idOf(entry) === id);
  if (!block || !isJsonObject(item)) return undefined;
  const known = types?.get(textAt(block, "type") ?? "");
  const outlets = outletsOfBlock(block).filter(
    ({ itemId, kind }) => itemId === id && (kind === "item" || kind === "button"),
  );
  const leads = outlets.map((outlet) => leadOf(outlet, around, ""));
  return {
    what: words[known?.editor.items === "branches" ? "branch" : "item"]({ position }),
    icon: outlets[0]?.kind === "button" ? "layout-template" : "circle-dashed",
    says: lineOfItem(block, item, types, namesIn(around)),
    savesTo: "",
    leadsTo: leads
      .map(({ leadsTo }) => leadsTo)
      .filter((lead) => lead !== "")
      .join(", "),
    isBroken: leads.some(({ isBroken }) => isBroken),
  };
}

function factsOfWay({ id, blockId = "" }: Row, around: Around): Facts | undefined {
  const block = around.store.block(blockId).value?.block;
  const outlet = block && outletsOfBlock(block).find(({ kind }) => kind === id);
  if (!outlet || !isWayOut(id)) return undefined;
  const { text, icon } = wayOutLine(id, valueAt(block, "options", id), currentWords(canvasWords).card.ways);
  return {
    ...{ what: text.replaceAll(/[{}]{2}/g, ""), icon, says: "", savesTo: "" },
    ...leadOf(outlet, around, around.words.nowhere),
  };
}

/** Returns the text of a block, in the form that its type defines. For an unknown type, returns a text that says so. */
export function says(block: JsonObject, around: Around): string {
  const { types, words } = around;
  const isUnknown = types !== undefined && !types.has(textAt(block, "type") ?? "");
  return isUnknown ? words.unknownType : lineOfBlock(block, types, namesIn(around));
}

function namesIn(around: Around) {
  return {
    variable: (id: string) => around.store.variables.value.find((one) => one.id === id)?.name,
    group: (id: string) => groupTitle(id, around) || undefined,
    missing: around.words.missing,
    bot: (id: string) => around.bots.get(id) ?? "",
  };
}

function variablesWritten(thing: JsonObject, store: Store): string {
  const ids = new Set(
    referencesIn(thing).flatMap(({ to, how, value }) => (to === "variable" && how === "write" ? [value] : [])),
  );
  const names = [...ids].map((id) => store.variables.value.find((one) => one.id === id)?.name);
  return names.filter((name) => name !== undefined).join(", ");
}

function leadOf(outlet: Outlet | undefined, around: Around, otherwise: string): Pick<Facts, "leadsTo" | "isBroken"> {
  const { store, words } = around;
  if (outlet?.edgeId === undefined) return { leadsTo: otherwise, isBroken: false };
  const to = store.edge(outlet.edgeId).value?.to;
  const blockGroup = typeof to?.blockId === "string" ? store.block(to.blockId).value?.groupId : undefined;
  const group = store.group(to?.groupId ?? blockGroup ?? "").value;
  return group ? { leadsTo: titleOf(group, words), isBroken: false } : { leadsTo: words.missing, isBroken: true };
}

function groupTitle(id: string, { store, words }: Around): string {
  const group = store.group(id).value;
  return group ? titleOf(group, words) : "";
}

export function titleOf(group: JsonObject, words: WordsOf<"outline">["outline"]): string {
  return textAt(group, "title") || words.untitled;
}

/**
 * Returns the label of a row for screen readers, for example "Buttons, 3 items, saved to Plan, leads to Offer, 1
 * warning".
 */
export function spoken(row: Row, facts: Facts, { store, words }: Around, findings: string): string {
  const items = row.kind === "block" ? entriesOf(valueAt(store.block(row.id).value?.block, "items")).length : 0;
  const parts = [
    row.kind === "group" ? `${words.group} ${facts.what}` : facts.what,
    items > 0 ? words.items({ count: items }) : facts.says,
    facts.savesTo && words.savedTo({ name: facts.savesTo }),
    facts.leadsTo && facts.leadsTo !== words.ends && facts.leadsTo !== words.nowhere
      ? words.leads({ title: facts.leadsTo })
      : facts.leadsTo,
    findings,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
