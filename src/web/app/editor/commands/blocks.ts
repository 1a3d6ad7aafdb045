import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { idOf } from "../../../../core/editing/changes/things.ts";
import { followBlocks } from "../../../../core/editing/references/outlets.ts";
import { isJsonObject, type JsonObject, valueAt } from "../../../../core/interpreter/flow.ts";
import type { BlockStart } from "../../../../core/interpreter/schemas/block-start.ts";
import {
  blocksIn,
  bounds,
  type Command,
  changesOfBlock,
  countBlocks,
  findBlock,
  findGroup,
  itemsIn,
  objectWith,
} from "./command.ts";
import { asEdits, type Setting, setIn, type TypedOver, typedInto } from "./typed-text.ts";

/** The properties of a block type that are needed to create a block. */
export type TypeFacts = {
  readonly type: string;
  readonly name: string;
  readonly schema: JsonObject;
  /** The initial contents of a new block. */
  readonly start?: BlockStart | undefined;
};

export const addBlock: Command<{
  readonly type: TypeFacts;
  readonly groupId: string;
  readonly before?: string | undefined;
}> = {
  name: (words, { type }) => words.acts.addBlock({ name: type.name }),
  make(draft, { type, groupId, before }, { newId }) {
    const group = findGroup(draft, groupId);
    if (!group) return { refused: "gone" };
    if (countBlocks(draft) >= bounds.blocks) return { refused: "tooManyBlocks" };
    const { block, variables } = newBlock(draft, type, newId);
    return {
      changes: [
        ...variables,
        { op: "add", of: "block", in: groupId, ...(before !== undefined && { before }), value: block },
      ],
      selects: { kind: "block", id: idOf(block) ?? "" },
    };
  },
};

/** Sets a value in a block. `title` is the title of the field, for the history. */
export const setInBlock: Command<
  {
    readonly blockId: string;
  } & Setting
> = {
  name: (words, { title }) => words.acts.setOption({ field: title }),
  make: (draft, { blockId, ...setting }) => setIn(draft, "block", findBlock(draft, blockId)?.block, setting),
};

/** Sets or removes a value at a path in several blocks, in one undo step. */
export const setInBlocks: Command<{
  readonly blockIds: readonly string[];
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
  readonly title?: string | undefined;
}> = {
  name: (words, { title, blockIds }) => words.acts.setOptionOf({ field: title, blocks: blockIds.length }),
  make(draft, { blockIds, path, value }) {
    const found = blockIds.flatMap((id) => findBlock(draft, id) ?? []);
    if (found.length === 0) return { refused: "gone" };
    const changes = found.flatMap(({ block }) =>
      changesOfBlock(block, { ...objectWith(block, path, value), id: block["id"] }),
    );
    return { changes, field: `blocks/${blockIds.join(" ")}/${JSON.stringify(path)}` };
  },
};

/** Moves blocks into a group, in the given order. */
export const moveBlocks: Command<{
  readonly blockIds: readonly string[];
  readonly groupId: string;
  readonly before?: string | undefined;
}> = {
  name: (words, { blockIds }) => words.acts.moveBlocks({ count: blockIds.length }),
  make(draft, { blockIds, groupId, before }) {
    const group = findGroup(draft, groupId);
    if (!group) return { refused: "gone" };
    const list = blocksIn(group).map((block) => idOf(block) ?? "");
    // The block at the drop position may itself be moved, so the next block that stays is used.
    const at = before === undefined ? -1 : list.indexOf(before);
    const next = at < 0 ? undefined : list.slice(at).find((id) => !blockIds.includes(id));
    const place = next === undefined ? {} : { before: next };
    const there = blockIds.filter((id) => findBlock(draft, id));
    const moves = there.map((id): Change => ({ op: "move", of: "block", id, in: groupId, ...place }));
    return { changes: [...moves, ...followBlocks(draft, there, groupId)] };
  },
};

/**
 * Moves a block up or down by one position. At the start or the end of a group, the block moves into the previous or
 * next group in walking order.
 */
export const shiftBlock: Command<{
  readonly blockId: string;
  readonly by: -1 | 1;
  readonly groupOrder: readonly string[];
}> = {
  name: (words) => words.acts.moveBlocks({ count: 1 }),
  make(draft, { blockId, by, groupOrder }) {
    const found = findBlock(draft, blockId);
    if (!found) return { refused: "gone" };
    const groupId = idOf(found.group) ?? "";
    const list = blocksIn(found.group);
    const index = list.findIndex(({ id }) => id === blockId);
    const move = (to: string, before: string | undefined): { changes: readonly Change[] } => ({
      changes: [
        { op: "move", of: "block", id: blockId, in: to, ...(before !== undefined && { before }) },
        ...followBlocks(draft, [blockId], to),
      ],
    });
    if (list[index + by]) return move(groupId, idOf(list[by === 1 ? index + 2 : index - 1]));
    const next = groupOrder[groupOrder.indexOf(groupId) + by];
    const group = next === undefined ? undefined : findGroup(draft, next);
    if (next === undefined || !group) return { refused: by === 1 ? "last" : "first" };
    return move(next, by === 1 ? idOf(blocksIn(group)[0]) : undefined);
  },
};

export const addItem: Command<{
  readonly blockId: string;
  readonly before?: string | undefined;
  readonly value?: JsonObject;
}> = {
  name: (words) => words.acts.addItem,
  make(draft, { blockId, before, value = {} }, { newId }) {
    const found = findBlock(draft, blockId);
    if (!found) return { refused: "gone" };
    const id = newId();
    const item = { ...(found.block["type"] === "Condition" && { content: newCondition(newId) }), ...value, id };
    const selects = { kind: "item", id, blockId } as const;
    if (!Array.isArray(found.block["items"])) {
      return { changes: [{ op: "set", of: "block", id: blockId, path: ["items"], value: [item] }], selects };
    }
    return {
      changes: [{ op: "add", of: "item", in: blockId, ...(before !== undefined && { before }), value: item }],
      selects,
    };
  },
};

export const shiftItem: Command<{ readonly blockId: string; readonly itemId: string; readonly by: -1 | 1 }> = {
  name: (words) => words.acts.moveItem,
  make(draft, { blockId, itemId, by }) {
    const found = findBlock(draft, blockId);
    if (!found) return { refused: "gone" };
    const items = itemsIn(found.block);
    const index = items.findIndex(({ id }) => id === itemId);
    if (index < 0) return { refused: "gone" };
    if (!items[index + by]) return { refused: by === 1 ? "last" : "first" };
    const before = idOf(items[by === 1 ? index + 2 : index - 1]);
    return { changes: [{ op: "move", of: "item", id: itemId, in: blockId, ...(before !== undefined && { before }) }] };
  },
};

/**
 * Converts a block to another type. Keeps the outgoing edge, and the options, contents and items that both types have.
 */
export const changeType: Command<{ readonly blockId: string; readonly type: TypeFacts }> = {
  name: (words, { type }) => words.acts.changeType({ name: type.name }),
  make(draft, { blockId, type }, { newId }) {
    const found = findBlock(draft, blockId);
    if (!found) return { refused: "gone" };
    const { block } = found;
    const made = emptyBlock(type, newId);
    const kept = {
      ...made,
      id: blockId,
      ...(block["outgoingEdgeId"] !== undefined && { outgoingEdgeId: block["outgoingEdgeId"] }),
      ...shared("options", block, made, type),
      ...shared("content", block, made, type),
      ...(Array.isArray(block["items"]) &&
        propertiesOf(type.schema)["items"] !== undefined && { items: block["items"] }),
    };
    return { changes: changesOfBlock(block, kept), selects: { kind: "block", id: blockId } };
  },
};

/**
 * Creates a block. If its initial contents name a variable that the flow does not have, also returns the change that
 * adds the variable.
 */
export function newBlock(
  { variables }: Pick<DraftDocument, "variables">,
  { start, ...type }: TypeFacts,
  newId: () => string,
): { readonly block: JsonObject; readonly variables: readonly Change[] } {
  const empty = emptyBlock(type, newId);
  if (!start) return { block: empty, variables: [] };
  const block = { ...empty, ...withIds(start.block, newId) };
  if (!start.variable) return { block, variables: [] };
  const { name, path } = start.variable;
  const known = variables.find((variable) => variable.name === name)?.id;
  const id = known ?? newId();
  return {
    block: { ...objectWith(block, path, id), id: empty["id"] },
    variables: known === undefined ? [{ op: "add", of: "variable", value: { id, name } }] : [],
  };
}

/** Adds ids to the objects in lists, as a form does for new entries. */
function withIds(value: JsonObject, newId: () => string): JsonObject {
  const inner = (one: unknown): unknown =>
    Array.isArray(one)
      ? one.map((entry: unknown) => (isJsonObject(entry) ? { id: newId(), ...withIds(entry, newId) } : entry))
      : isJsonObject(one)
        ? withIds(one, newId)
        : one;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
}

/**
 * Creates a block without the initial contents of its type. If the type has items, the block gets one or two items, so
 * that there is something to edit.
 */
function emptyBlock({ type, schema }: Omit<TypeFacts, "start">, newId: () => string): JsonObject {
  const properties = propertiesOf(schema);
  const id = newId();
  if (type === "text") return { id, type, content: { richText: [{ type: "p", children: [{ text: "" }] }] } };
  if (type === "AB test")
    return {
      id,
      type,
      items: [
        { id: newId(), path: "a" },
        { id: newId(), path: "b" },
      ],
    };
  if (type === "Condition") return { id, type, items: [{ id: newId(), content: newCondition(newId) }] };
  return { id, type, ...(properties["items"] !== undefined && { items: [{ id: newId() }] }) };
}

/**
 * Creates a condition with an incomplete comparison, because it is easier to complete a comparison than to start one.
 */
function newCondition(newId: () => string): JsonObject {
  return { comparisons: [{ id: newId(), comparisonOperator: "Equal to" }] };
}

function shared(key: "options" | "content", block: JsonObject, made: JsonObject, { schema }: TypeFacts): JsonObject {
  const [value, known] = [block[key], propertiesOf(propertiesOf(schema)[key])];
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).filter(([name]) => Object.hasOwn(known, name));
  const begun = made[key];
  return entries.length === 0 ? {} : { [key]: { ...(isJsonObject(begun) && begun), ...Object.fromEntries(entries) } };
}

function propertiesOf(schema: unknown): JsonObject {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) ? properties : {};
}

/**
 * Writes the rich text of a bubble. All text that is typed during one opening of the editor is one undo step. `opening`
 * identifies the opening, and `title` is the title of the field.
 */
export const writeText: Command<{
  readonly blockId: string;
  readonly tree: readonly unknown[];
  /**
   * The text that the editor previously showed, to which the typing is compared. If absent, `tree` replaces the stored
   * text.
   */
  readonly over?: TypedOver;
  readonly opening: string;
  readonly title: string;
}> = {
  name: (words, { title }) => words.acts.setOption({ field: title }),
  make(draft, { blockId, tree, over, opening }) {
    const found = findBlock(draft, blockId);
    if (!found) return { refused: "gone" };
    const path = ["content", "richText"];
    const now = valueAt(found.block, ...path);
    const value = over ? typedInto(now, { over, value: tree, path }) : tree;
    if (JSON.stringify(now) === JSON.stringify(value)) return { changes: [] };
    return {
      changes: asEdits(draft, [{ op: "set", of: "block", id: blockId, path, value }]),
      field: `open/${opening}`,
    };
  },
};
