import { isJsonObject, type JsonObject } from "../../src/core/interpreter/flow.ts";
import type { Dice } from "../core/editing/dice.ts";
import { says } from "./chat.ts";

type Edge = { id: string; from: JsonObject; to: { groupId: string; blockId?: string } };
type Holder = JsonObject & { id: string; outgoingEdgeId?: string };
type Block = Holder & { type: string; items?: Holder[]; options?: JsonObject };
type Group = JsonObject & { id: string; blocks: Block[] };
export type FlowFile = JsonObject & {
  version: string;
  events: Holder[] | null;
  groups: Group[];
  edges: Edge[];
};

/**
 * Creates a file of the given version. Every id in it is unique. It contains choices that lead to groups and blocks, a
 * jump, a link, and from version 6 a command that returns.
 */
export function soundFile(version: string, { below }: Dice): FlowFile {
  const isOld = Number(version) < 6;
  const place = () => ({ x: below(2_000) - 1_000, y: below(90) / 4 });
  const target = (index: number) => ({ groupId: `group ${index}`, blockId: `says ${index}` });
  const edges: Edge[] = [];
  const lead = (id: string, from: JsonObject, to: Edge["to"]): string => {
    edges.push({ id, from, to });
    return id;
  };
  const choice = (index: number): Block => {
    const id = `asks ${index}`;
    const group = isOld && below(2) === 0 ? { groupId: `group ${index}` } : {};
    const items = ["A", "B", "C"].map((name) => {
      const itemId = `item ${index}${name}`;
      const item = { id: itemId, content: `${name}${index}` };
      if (name === "C") return item;
      return { ...item, outgoingEdgeId: lead(`edge ${itemId}`, { ...group, blockId: id, itemId }, target(below(5))) };
    });
    const outgoingEdgeId = lead(`edge ${id}`, { ...group, blockId: id }, target(below(5)));
    return { id, type: "choice input", items, options: { isMultipleChoice: false, own: index }, outgoingEdgeId };
  };
  const groups = Array.from({ length: 5 }, (_, index): Group => {
    const last: readonly Block[] =
      index === 3
        ? [{ id: "jump", type: "Jump", options: target(below(3)) }]
        : index === 4
          ? [{ id: "link", type: "Typebot link", options: { typebotId: "current", groupId: "group 0" } }]
          : [choice(index)];
    return {
      id: `group ${index}`,
      title: `Title ${index}`,
      graphCoordinates: place(),
      blocks: [says(`Text ${index}`, `says ${index}`), ...last],
    };
  });
  const first: Holder = { id: "start", type: "start", outgoingEdgeId: "edge start" };
  lead("edge start", isOld ? { groupId: "group start", blockId: "start" } : { eventId: "start" }, target(0));
  if (!isOld) {
    lead("edge help", { eventId: "help" }, { groupId: "group help", blockId: "says help" });
    groups.push({
      id: "group help",
      title: "Help",
      graphCoordinates: place(),
      blocks: [says("Help", "says help"), { id: "back", type: "Return" }],
    });
  }
  const command = { id: "help", type: "command", options: { command: "help" }, outgoingEdgeId: "edge help" };
  return {
    ...{ version, name: "Made" },
    events: isOld
      ? null
      : [
          { ...first, graphCoordinates: place() },
          { ...command, graphCoordinates: place() },
        ],
    groups: isOld
      ? [
          { id: "group start", title: "Start", graphCoordinates: place(), blocks: [{ ...first, type: "start" }] },
          ...groups,
        ]
      : groups,
    edges,
    variables: [],
    ...{ theme: { own: below(9) }, settings: { own: { deep: [below(9), null] } } },
    editor: { colors: { "group 1": "red", "group 2": "blue" } },
  };
}

/** Adds block ids to edges and jumps. If two groups have the same id, the block identifies the intended group. */
export function withNamedBlocks(file: FlowFile): FlowFile {
  const named = structuredClone(file);
  const firstOf = new Map(named.groups.map(({ id, blocks }) => [id, blocks[0]?.id]));
  const name = (to: JsonObject) => {
    const blockId = typeof to["groupId"] === "string" && to["blockId"] === undefined && firstOf.get(to["groupId"]);
    if (blockId) Reflect.set(to, "blockId", blockId);
  };
  for (const { to } of named.edges) name(to);
  for (const block of named.groups.flatMap(({ blocks }) => blocks)) {
    if (block.type === "Jump" && block.options) name(block.options);
  }
  return named;
}

const faults = ["group", "block", "item", "edge"] as const;

/**
 * Adds three faults of different kinds to a file. Each fault gives two parts the same id, and references to the second
 * part use this id as well. The rest of the file still identifies the intended part, so a repair restores the file
 * except for new ids.
 */
export function withFaults(
  sound: FlowFile,
  dice: Dice,
): { readonly file: FlowFile; readonly kinds: readonly string[] } {
  for (let attempt = 0; attempt < 100; attempt++) {
    const file = structuredClone(sound);
    const used = new Set<unknown>();
    const left = dice.below(faults.length);
    const kinds = faults.filter((kind, index) => index !== left && makers[kind](file, dice, used));
    if (kinds.length === 3) return { file, kinds };
  }
  throw new Error("The flow is too small for three faults");
}

type Maker = (file: FlowFile, dice: Dice, used: Set<unknown>) => boolean;

const makers: Readonly<Record<(typeof faults)[number], Maker>> = {
  group(file, dice, used) {
    const linked = new Set(
      blocksIn(file).flatMap(({ type, options }) => (type === "Typebot link" ? [options?.["groupId"]] : [])),
    );
    const pair = pairOf(
      file.groups,
      dice,
      (group) => !used.has(group) && group.blocks.length > 0 && group.blocks[0]?.type !== "start",
    );
    if (!pair || linked.has(pair[1].id)) return false;
    const [kept, later] = pair;
    rename(file, { groupId: later.id }, () => ({ groupId: kept.id }));
    later.id = kept.id;
    for (const one of [pair, pair.flatMap(({ blocks }) => blocks)].flat()) used.add(one);
    return true;
  },
  block(file, dice, used) {
    const groups = file.groups.filter((group) => !used.has(group));
    const pair = pairOf(groups, dice, ({ blocks }) =>
      blocks.some((block) => !used.has(block) && block.type !== "start"),
    );
    const [kept, later] = (pair ?? []).map(({ blocks }) => dice.pick(blocks.filter((block) => !used.has(block))));
    if (!pair || !kept || !later || kept.type === "start") return false;
    rename(file, { blockId: later.id }, () => ({ blockId: kept.id }));
    later.id = kept.id;
    for (const one of [...pair, kept, later]) used.add(one);
    return true;
  },
  item(file, dice, used) {
    const blocks = blocksIn(file).filter((block) => !used.has(block) && (block.items?.length ?? 0) > 1);
    const block = dice.pick(blocks);
    const pair = pairOf(block?.items ?? [], dice, () => true);
    if (!block || !pair) return false;
    const [kept, later] = pair;
    rename(file, { blockId: block.id, itemId: later.id }, () => ({ itemId: kept.id }));
    later.id = kept.id;
    used.add(block);
    return true;
  },
  edge(file, dice, used) {
    const holders = blocksIn(file).flatMap((block) => (used.has(block) ? [] : [block, ...(block.items ?? [])]));
    const pair = pairOf(holders, dice, ({ outgoingEdgeId }) => outgoingEdgeId !== undefined);
    const [kept, later] = (pair ?? []).map(({ outgoingEdgeId }) => outgoingEdgeId);
    const edge = file.edges.find(({ id }) => id === later);
    if (!pair || !edge || kept === undefined || kept === later) return false;
    edge.id = kept;
    pair[1].outgoingEdgeId = kept;
    for (const block of blocksIn(file))
      if (pair.some((holder) => holder === block || block.items?.includes(holder))) used.add(block);
    return true;
  },
};

function blocksIn({ groups }: FlowFile): Block[] {
  return groups.flatMap(({ blocks }) => blocks);
}

function pairOf<Thing>(
  things: readonly Thing[],
  { below }: Dice,
  isMeant: (thing: Thing) => boolean,
): [Thing, Thing] | undefined {
  const meant = things.filter(isMeant);
  const [first, second] = [below(meant.length), below(meant.length)].toSorted((a, b) => a - b);
  const [kept, later] = [meant[first ?? 0], meant[second ?? 0]];
  return kept === undefined || later === undefined || kept === later ? undefined : [kept, later];
}

/** Assigns new keys to every object that has all keys of `names` with the same values. */
function rename(value: unknown, names: JsonObject, anew: () => JsonObject): void {
  if (Array.isArray(value)) for (const one of value) rename(one, names, anew);
  if (!isJsonObject(value)) return;
  if (Object.entries(names).every(([key, name]) => value[key] === name)) Object.assign(value, anew());
  for (const inner of Object.values(value)) rename(inner, names, anew);
}

/** Returns parts of a flow with ids replaced by ordinal numbers, so that flows that only differ in ids are equal. */
export function withCountedIds(parts: {
  readonly events?: unknown;
  readonly groups?: unknown;
  readonly edges?: unknown;
}): unknown {
  const ids = new Map<string, string>();
  const note = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) note(one);
    if (!isJsonObject(value)) return;
    const { id } = value;
    if (typeof id === "string" && !ids.has(id)) ids.set(id, `id ${ids.size}`);
    for (const inner of Object.values(value)) note(inner);
  };
  const { events, groups, edges, ...rest } = parts;
  note([events, groups, edges]);
  const counted = (value: unknown): unknown => {
    if (typeof value === "string") return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(counted);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [ids.get(key) ?? key, counted(inner)]));
  };
  return counted({ events, groups, edges, ...rest });
}
