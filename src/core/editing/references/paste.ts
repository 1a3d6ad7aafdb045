import { isJsonObject, type JsonObject } from "../../interpreter/flow.ts";
import { wayOutNames } from "../../interpreter/schemas/own-keys.ts";
import type { Change, DraftDocument, ListedNoun } from "../changes/change.ts";
import { idOf, objectsIn } from "../changes/things.ts";
import { type Clip, textOf } from "./clipboard.ts";
import { referencesIn } from "./references.ts";

export type Pasting = {
  newId(): string;
  /** The group in which blocks without a group are inserted. If absent, a new group is created for the blocks. */
  readonly into?: { readonly groupId: string; readonly before?: string };
  /** The block in which items without a block are inserted. */
  readonly block?: { readonly blockId: string; readonly before?: string };
  /**
   * Whether edges to parts that were not copied are kept if the parts exist in this draft. Otherwise such edges are
   * removed.
   */
  readonly keepsOutsideEdges?: boolean;
  /** The distance between pasted parts and their originals. */
  readonly offset?: { readonly x: number; readonly y: number };
  readonly titleOfGroup?: string;
};

/** The result of pasting: the changes, and the ids of the new parts in order. */
export type Pasted = {
  readonly changes: readonly Change[];
  readonly groupIds: readonly string[];
  readonly blockIds: readonly string[];
  readonly itemIds: readonly string[];
  readonly noteIds: readonly string[];
  readonly frameIds: readonly string[];
};

/**
 * Returns the changes that paste a clip with new ids. Variables are matched by name. No pasted edge has a missing
 * target.
 */
export function paste(draft: DraftDocument, clip: Clip, pasting: Pasting): Pasted {
  const { newId, into, block, offset = { x: 60, y: 60 }, titleOfGroup = "Pasted" } = pasting;
  const ids = new Map<string, string>();
  const idFor = (kind: string, id: string): string => {
    const key = `${kind} ${id}`;
    const made = ids.get(key) ?? newId();
    ids.set(key, made);
    return made;
  };
  const variables = matchVariables(draft, clip, newId);
  const ownGroup = clip.blocks.length > 0 && !into ? newId() : undefined;
  const looseGroup = into?.groupId ?? ownGroup;
  const edges = edgesOf(draft, clip, { ...pasting, idFor, looseGroup });
  const remake: Remake = { idFor, variables: variables.ids, edges, clip };

  const ownTitle = titlesBeside(draft);
  const groups = clip.groups.map(
    (group): JsonObject => ({
      ...group,
      id: idFor("group", idOf(group) ?? ""),
      ...(textOf(group["title"]) !== undefined && { title: ownTitle(textOf(group["title"]) ?? "") }),
      ...moved(group["graphCoordinates"], offset),
      blocks: objectsIn(group["blocks"]).map((inner) => blockAnew(inner, remake)),
    }),
  );
  const blocks = clip.blocks.map((inner) => blockAnew(inner, remake));
  const items = block ? clip.items.map((item) => itemAnew(item, remake, { of: "loose", id: block.blockId })) : [];
  const beside = (list: readonly JsonObject[] = []) =>
    list.map((one): JsonObject => ({ ...one, id: newId(), ...moved(one["graphCoordinates"], offset) }));
  const [notes, frames] = [beside(clip.notes), beside(clip.frames)];
  const colors = Object.entries(clip.colors ?? {}).filter(([id]) => clip.groups.some((group) => idOf(group) === id));
  const looseGroups =
    ownGroup === undefined ? [] : [{ id: ownGroup, title: ownTitle(titleOfGroup), graphCoordinates: offset, blocks }];
  const changes: Change[] = [
    ...additions("variable", variables.added),
    ...additions("group", [...groups, ...looseGroups]),
    ...(into ? additions("block", blocks, { in: into.groupId, ...beforeOf(into) }) : []),
    ...(block ? additions("item", items, { in: block.blockId, ...beforeOf(block) }) : []),
    ...additions("edge", edges.made),
    ...additions("note", notes),
    ...additions("frame", frames),
    ...colors.map(([id, value]): Change => ({ op: "set", of: "editor", path: ["colors", idFor("group", id)], value })),
  ];
  const idsOf = (list: readonly JsonObject[]) => list.map((thing) => idOf(thing) ?? "");
  return {
    changes,
    groupIds: idsOf([...groups, ...looseGroups]),
    blockIds: idsOf(blocks),
    itemIds: idsOf(items),
    noteIds: idsOf(notes),
    frameIds: idsOf(frames),
  };
}

/**
 * Returns a function that makes titles unique among the groups of the draft and the groups pasted so far, because jumps
 * and answers refer to groups by title.
 */
function titlesBeside(draft: DraftDocument): (title: string) => string {
  const taken = new Set(objectsIn(draft.groups).map((group) => group["title"]));
  return (title) => {
    const plain = title.replace(/ \(\d+\)$/, "");
    let own = title;
    for (let number = 2; title !== "" && taken.has(own); number++) own = `${plain} (${number})`;
    taken.add(own);
    return own;
  };
}

function additions(of: ListedNoun, values: readonly JsonObject[], where: { in?: string; before?: string } = {}) {
  return values.map((value): Change => ({ op: "add", of, ...where, value }));
}

type Remake = {
  readonly idFor: (kind: string, id: string) => string;
  readonly variables: ReadonlyMap<string, string>;
  readonly edges: Edges;
  readonly clip: Clip;
};

type Edges = { readonly made: JsonObject[]; lead(edgeId: string, from: JsonObject): string | undefined };

/** Creates an edge for each outlet that had an edge, if the edge leads to a pasted part or may be kept. */
function edgesOf(
  draft: DraftDocument,
  clip: Clip,
  {
    newId,
    keepsOutsideEdges = false,
    idFor,
    looseGroup,
  }: Pasting & { idFor: Remake["idFor"]; looseGroup: string | undefined },
): Edges {
  const groupIds = new Set(clip.groups.map(idOf));
  const groupOf = new Map<string, string | undefined>();
  for (const group of clip.groups)
    for (const block of objectsIn(group["blocks"])) groupOf.set(idOf(block) ?? "", idFor("group", idOf(group) ?? ""));
  for (const block of clip.blocks) groupOf.set(idOf(block) ?? "", looseGroup);
  const edges = new Map(clip.edges.map((edge) => [idOf(edge) ?? "", edge]));
  const outside = new Map(objectsIn(draft.groups).map((group) => [idOf(group) ?? "", group]));
  const targetOf = (to: unknown): JsonObject | undefined => {
    if (!isJsonObject(to)) return undefined;
    const [groupId, blockId] = [textOf(to["groupId"]), textOf(to["blockId"])];
    if (blockId !== undefined && groupOf.has(blockId))
      return { groupId: groupOf.get(blockId), blockId: idFor("block", blockId) };
    if (groupId !== undefined && groupIds.has(groupId) && blockId === undefined)
      return { groupId: idFor("group", groupId) };
    const group = keepsOutsideEdges && groupId !== undefined ? outside.get(groupId) : undefined;
    const isThere =
      group && (blockId === undefined || objectsIn(group["blocks"]).some((block) => idOf(block) === blockId));
    return isThere ? to : undefined;
  };
  const made: JsonObject[] = [];
  return {
    made,
    lead(edgeId, from) {
      const edge = edges.get(edgeId);
      const to = edge && targetOf(edge["to"]);
      if (!to) return undefined;
      const id = newId();
      made.push({ ...edge, id, from, to });
      return id;
    },
  };
}

function blockAnew(block: JsonObject, remake: Remake): JsonObject {
  const oldId = idOf(block) ?? "";
  const id = remake.idFor("block", oldId);
  const anew = renamedIds(block, remake);
  const options = isJsonObject(anew["options"]) ? anew["options"] : undefined;
  return {
    ...leading(anew, { blockId: id }, remake),
    id,
    ...(options && { options: { ...options, ...waysOutAnew(options, id, remake) } }),
    ...(Array.isArray(anew["items"]) && {
      items: anew["items"].map((item) => (isJsonObject(item) ? itemAnew(item, remake, { of: "block", id }) : item)),
    }),
  };
}

function waysOutAnew(options: JsonObject, blockId: string, remake: Remake): JsonObject {
  const held = wayOutNames.flatMap((name): [string, JsonObject][] => {
    const holder = options[name];
    return isJsonObject(holder) ? [[name, leading(holder, { blockId }, remake)]] : [];
  });
  return Object.fromEntries(held);
}

/**
 * Returns a copy of an item with new ids. References inside an item of a block were already replaced together with the
 * block.
 */
function itemAnew(
  item: JsonObject,
  remake: Remake,
  { of, id: blockId }: { of: "block" | "loose"; id: string },
): JsonObject {
  const anew = of === "loose" ? renamedIds(item, remake) : item;
  const id = remake.idFor(`item of ${blockId}`, idOf(item) ?? "");
  const from = { blockId, itemId: id };
  if (!Array.isArray(anew["paths"])) return { ...leading(anew, from, remake), id };
  const paths = anew["paths"].map((button) => {
    if (!isJsonObject(button)) return button;
    const pathId = remake.idFor(`button of ${id}`, idOf(button) ?? "");
    return { ...leading(button, { ...from, pathId }, remake), id: pathId };
  });
  return { ...anew, id, paths };
}

/** Returns the object with a new edge in place of its old edge, or without an edge if no new edge was created. */
function leading(holder: JsonObject, from: JsonObject, { edges }: Remake): JsonObject {
  const edgeId = textOf(holder["outgoingEdgeId"]);
  if (edgeId === undefined) return holder;
  const { outgoingEdgeId: _, ...rest } = holder;
  const made = edges.lead(edgeId, from);
  return made === undefined ? rest : { ...rest, outgoingEdgeId: made };
}

/** Returns a copy that refers to this draft's variables, and to the pasted groups and blocks by their new ids. */
function renamedIds(part: JsonObject, { variables, idFor, clip }: Remake): JsonObject {
  const copied: JsonObject = structuredClone(part);
  const groups = new Set(clip.groups.map(idOf));
  const blocks = new Set([...clip.groups.flatMap((group) => objectsIn(group["blocks"])), ...clip.blocks].map(idOf));
  for (const { to, value, path } of referencesIn(part)) {
    if (to === "variable" && variables.has(value)) write(copied, path, variables.get(value));
    else if (to === "group" && groups.has(value)) write(copied, path, idFor("group", value));
    else if (to === "block" && blocks.has(value)) write(copied, path, idFor("block", value));
  }
  return copied;
}

function write(root: JsonObject, path: readonly (string | number)[], value: unknown): void {
  let holder: unknown = root;
  for (const step of path.slice(0, -1))
    holder = typeof holder === "object" && holder !== null ? Reflect.get(holder, step) : undefined;
  const last = path.at(-1);
  if (typeof holder === "object" && holder !== null && last !== undefined) Reflect.set(holder, last, value);
}

function matchVariables(
  draft: DraftDocument,
  clip: Clip,
  newId: () => string,
): { ids: Map<string, string>; added: JsonObject[] } {
  const byName = new Map<unknown, string>();
  for (const { id, name } of draft.variables) if (!byName.has(name)) byName.set(name, id);
  const own = new Map(draft.variables.map(({ id, name }) => [id, name]));
  const ids = new Map<string, string>();
  const added: JsonObject[] = [];
  for (const variable of clip.variables) {
    const oldId = idOf(variable) ?? "";
    // If the draft has a variable with the same id and name, the id is kept, because several variables may share a
    // name.
    const id = own.get(oldId) === variable["name"] ? oldId : (byName.get(variable["name"]) ?? newId());
    ids.set(oldId, id);
    if (own.has(id) || byName.get(variable["name"]) === id) continue;
    byName.set(variable["name"], id);
    added.push({ ...variable, id });
  }
  return { ids, added };
}

function beforeOf({ before }: { readonly before?: string }): { before?: string } {
  return before === undefined ? {} : { before };
}

function moved(at: unknown, { x, y }: { x: number; y: number }): JsonObject {
  if (!isJsonObject(at)) return {};
  const [left, top] = [at["x"], at["y"]];
  return {
    graphCoordinates: {
      ...at,
      ...(typeof left === "number" && { x: left + x }),
      ...(typeof top === "number" && { y: top + y }),
    },
  };
}
