import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import { parseJsonOr } from "../../interpreter/language/json.ts";
import type { DraftDocument } from "../changes/change.ts";
import { idOf, objectsIn } from "../changes/things.ts";
import { type Outlet, outletsOfBlock } from "./outlets.ts";
import { referencesIn } from "./references.ts";

/**
 * Copied parts of a flow as JSON with a format identifier (`kind`). Clips can be pasted into other bots and instances.
 */
export type Clip = {
  readonly kind: "parley.flow-parts";
  readonly groups: readonly JsonObject[];
  /** Blocks that were copied without their group, in order. */
  readonly blocks: readonly JsonObject[];
  /** Items that were copied without their block. `itemsOf` is the type of that block. */
  readonly items: readonly JsonObject[];
  readonly itemsOf?: string;
  /** All edges that start at a copied part. */
  readonly edges: readonly JsonObject[];
  /** The variables that the clip refers to by id or by name in its texts. */
  readonly variables: readonly JsonObject[];
  /** Copied notes and frames, and the colours of the copied groups by the ids of the groups. */
  readonly notes?: readonly JsonObject[];
  readonly frames?: readonly JsonObject[];
  readonly colors?: JsonObject;
};

export type Selected = {
  readonly groupIds?: readonly string[];
  readonly blockIds?: readonly string[];
  readonly items?: readonly { readonly blockId: string; readonly itemId: string }[];
  readonly noteIds?: readonly string[];
  readonly frameIds?: readonly string[];
};

/**
 * Copies the selected parts of a draft. Unknown ids are ignored. Items without their block are copied from blocks of a
 * single type.
 */
export function copy(draft: DraftDocument, selected: Selected): Clip {
  const { groupIds = [], blockIds = [], items = [] } = selected;
  const wanted = { groups: new Set(groupIds), blocks: new Set(blockIds) };
  const groups: JsonObject[] = [];
  const blocks: JsonObject[] = [];
  const copiedItems: JsonObject[] = [];
  let itemsOf: string | undefined;
  for (const group of objectsIn(draft.groups)) {
    if (wanted.groups.has(idOf(group) ?? "")) {
      groups.push(group);
      continue;
    }
    for (const block of objectsIn(group["blocks"])) {
      const id = idOf(block) ?? "";
      if (wanted.blocks.has(id)) blocks.push(block);
      const chosen = objectsIn(block["items"]).filter((item) =>
        items.some(({ blockId, itemId }) => blockId === id && itemId === idOf(item)),
      );
      if (chosen.length === 0 || wanted.blocks.has(id)) continue;
      itemsOf ??= textOf(block["type"]);
      if (itemsOf === block["type"]) copiedItems.push(...chosen);
    }
  }
  const parts = [...groups.flatMap((group) => objectsIn(group["blocks"])), ...blocks];
  const outlets = parts.flatMap(outletsOfBlock);
  const edgeIds = new Set([...outlets, ...copiedItems.flatMap(outletsOfLooseItem)].map(({ edgeId }) => edgeId));
  return {
    kind: "parley.flow-parts",
    groups,
    blocks,
    items: copiedItems,
    ...(itemsOf !== undefined && { itemsOf }),
    edges: objectsIn(draft.edges).filter((edge) => edgeIds.has(idOf(edge))),
    variables: variablesIn(draft, [...parts, ...copiedItems]),
    ...surroundings(draft, selected),
  };
}

function surroundings({ editor }: DraftDocument, { groupIds = [], noteIds = [], frameIds = [] }: Selected) {
  const chosen = (key: string, ids: readonly string[]) =>
    objectsIn(editor?.[key]).filter((one) => ids.includes(idOf(one) ?? ""));
  const [notes, frames] = [chosen("notes", noteIds), chosen("frames", frameIds)];
  const stored = editor?.["colors"];
  const colors = isJsonObject(stored) ? Object.entries(stored).filter(([id]) => groupIds.includes(id)) : [];
  return {
    ...(notes.length > 0 && { notes }),
    ...(frames.length > 0 && { frames }),
    ...(colors.length > 0 && { colors: Object.fromEntries(colors) }),
  };
}

/** Parses untrusted clipboard content. Returns undefined if the content is not a clip. */
export function readClip(text: string): Clip | undefined {
  const value = parseJsonOr(text, undefined);
  if (!isJsonObject(value) || value["kind"] !== "parley.flow-parts") return undefined;
  const lists = {
    groups: things(value["groups"]),
    blocks: things(value["blocks"]),
    items: things(value["items"]),
    edges: things(value["edges"]),
    variables: things(value["variables"]),
  };
  const itemsOf = textOf(value["itemsOf"]);
  const [notes, frames, colors] = [things(value["notes"]), things(value["frames"]), value["colors"]];
  const groups = lists.groups.map((group) => ({ ...group, blocks: things(group["blocks"]).filter(hasType) }));
  const blocks = lists.blocks.filter(hasType);
  const variables = lists.variables.filter(({ name }) => typeof name === "string");
  return {
    kind: "parley.flow-parts",
    ...lists,
    groups,
    blocks,
    variables,
    ...(itemsOf !== undefined && { itemsOf }),
    ...(notes.length > 0 && { notes }),
    ...(frames.length > 0 && { frames }),
    ...(isJsonObject(colors) && { colors }),
  };
}

function variablesIn(draft: DraftDocument, parts: readonly JsonObject[]): JsonObject[] {
  const [ids, names] = [new Set<string>(), new Set<string>()];
  for (const part of parts) {
    for (const { to, value } of referencesIn(part)) {
      if (to === "variable") ids.add(value);
      else if (to === "name") names.add(value);
    }
  }
  return objectsIn(draft.variables).filter(
    ({ id, name }) => (typeof id === "string" && ids.has(id)) || (typeof name === "string" && names.has(name)),
  );
}

function outletsOfLooseItem(item: JsonObject): Pick<Outlet, "edgeId">[] {
  return outletsOfBlock({ id: "loose", items: [item] });
}

function things(list: unknown): JsonObject[] {
  return objectsIn(list).filter((entry) => idOf(entry) !== undefined);
}

function hasType(block: JsonObject): boolean {
  return typeof block["type"] === "string";
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Counts the parts in a clip. Blocks of copied groups, edges and variables are not counted. */
export function countOf({ groups, blocks, items, notes = [], frames = [] }: Clip): number {
  return groups.length + blocks.length + items.length + notes.length + frames.length;
}
