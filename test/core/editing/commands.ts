import { apply } from "../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument, Path } from "../../../src/core/editing/changes/change.ts";
import { contentOf, kindAt } from "../../../src/core/editing/text/edit.ts";
import { isJsonObject, type JsonObject } from "../../../src/core/interpreter/flow.ts";
import { idOf as builderId } from "../../support/builder-ids.ts";
import type { Dice } from "./dice.ts";
import { randomOps } from "./references/texts-arbitrary.ts";

export { createDice, type Dice } from "./dice.ts";

/** A draft so small that its authors often cause conflicts. */
export function smallDraft(): DraftDocument {
  const block = (id: string) => ({
    id,
    type: "text",
    content: { richText: [{ text: id }, { text: "more" }] },
    options: { label: "Hello world", richText: [{ type: "p", children: [{ text: "Hello world" }] }] },
  });
  const choice = {
    id: "b4",
    type: "choice input",
    items: [
      { id: "i1", content: "Yes" },
      { id: "i2", content: "No" },
    ],
  };
  return {
    version: "6",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e1" }],
    groups: [
      { id: "g1", title: "One", blocks: [block("b1"), block("b2")] },
      { id: "g2", title: "Two", blocks: [block("b3"), choice] },
      { id: "g3", title: "Three", blocks: [] },
    ],
    edges: [{ id: "e1", to: { groupId: "g1" } }],
    variables: [
      { id: builderId("v1"), name: "A" },
      { id: builderId("v2"), name: "B" },
    ],
    theme: { chat: { roundness: "large" } },
    settings: { general: {} },
    editor: { notes: [{ id: "n1", text: "Look" }], colors: { g1: "red" } },
  };
}

/** Returns the changes that an author makes in a random next action. `newName` returns increasing ids. */
export function randomChanges(draft: DraftDocument, dice: Dice, newName: () => string): Change[] {
  const changes: Change[] = [];
  let now = draft;
  for (let count = 1 + dice.below(3); count > 0; count--) {
    const change = randomChange(now, dice, newName);
    if (!change) continue;
    changes.push(change);
    now = asDraft(apply(now, [change]));
  }
  return changes;
}

export function randomChange(draft: DraftDocument, dice: Dice, newName: () => string): Change | undefined {
  const groups = objects(draft.groups);
  const blocks = groups.flatMap((group) => objects(group["blocks"]));
  const group = dice.pick(groups);
  const block = dice.pick(blocks);
  const word = dice.pick(["red", "blue", "Hello"]);
  const within = group ? { in: idOf(group) } : {};
  switch (dice.below(21)) {
    case 16:
    case 17:
    case 18:
    case 19:
      return block && textOfBlock(block, dice);
    case 20:
      return group && editOf({ of: "group", id: idOf(group) }, { path: ["title"], value: group["title"] }, dice);
    case 0:
      return group && { op: "set", of: "group", id: idOf(group), path: ["title"], value: word };
    case 1:
      return (
        group && {
          op: "set",
          of: "group",
          id: idOf(group),
          path: ["graphCoordinates"],
          value: { x: dice.below(3), y: 0 },
        }
      );
    case 2:
    case 3:
      return block && valueOfBlock(block, dice, word);
    case 4:
      return (
        group && {
          op: "add",
          of: "block",
          ...within,
          ...before(group["blocks"], dice),
          value: { id: newName(), type: "text" },
        }
      );
    case 5: {
      const id = newName();
      return {
        op: "add",
        of: "group",
        ...before(groups, dice),
        value: { id, title: "New", blocks: [{ id: `${id}-b`, type: "text" }] },
      };
    }
    case 6:
      return block && dice.oneIn(2) ? { op: "remove", of: "block", id: idOf(block) } : undefined;
    case 7:
      return group && dice.oneIn(3) ? { op: "remove", of: "group", id: idOf(group) } : undefined;
    case 8:
    case 9:
      return (
        block &&
        group && { op: "move", of: "block", id: idOf(block), ...within, ...before(group["blocks"], dice, block) }
      );
    case 10:
      return group && { op: "move", of: "group", id: idOf(group), ...before(groups, dice, group) };
    case 11:
      return changeOfItem(dice.pick(blocks.filter(({ items }) => Array.isArray(items))), { dice, newName, word });
    case 12:
      return changeInList("variable", objects(draft.variables), { dice, newName, word });
    case 13:
      return changeInList("note", objects(draft.editor?.["notes"]), { dice, newName, word });
    case 14:
      return dice.oneIn(2)
        ? { op: "set", of: "theme", path: ["chat", dice.pick(["roundness", "color"]) ?? ""], value: word }
        : { op: "set", of: "settings", path: ["general", "isInputPrefilled"], value: dice.oneIn(2) };
    default:
      return (
        group && { op: "set", of: "editor", path: ["colors", idOf(group)], ...(dice.oneIn(3) ? {} : { value: word }) }
      );
  }
}

type Means = { readonly dice: Dice; readonly newName: () => string; readonly word: unknown };

function valueOfBlock(block: JsonObject, dice: Dice, word: unknown): Change {
  const id = idOf(block);
  const richText = isJsonObject(block["content"]) ? objects(block["content"]["richText"]) : [];
  if (richText.length > 0 && !dice.oneIn(3)) {
    const path = ["content", "richText", dice.below(richText.length), "text"];
    return { op: "set", of: "block", id, path, value: word };
  }
  return dice.oneIn(2)
    ? { op: "set", of: "block", id, path: ["content"], value: { richText: [{ text: word }] } }
    : { op: "set", of: "block", id, path: ["options"], ...(dice.oneIn(3) ? {} : { value: { label: word } }) };
}

/** Changes a random text of a block, or adds a missing text. */
function textOfBlock(block: JsonObject, dice: Dice): Change | undefined {
  const target = { of: "block", id: idOf(block) } as const;
  const options = block["options"];
  if (!isJsonObject(options)) return undefined;
  const key = dice.oneIn(2) ? "label" : "richText";
  return editOf(target, { path: ["options", key], value: options[key] }, dice);
}

function editOf(
  target: { readonly of: "block" | "group"; readonly id: string },
  { path, value }: { readonly path: Path; readonly value: unknown },
  dice: Dice,
): Change | undefined {
  const kind = kindAt(path);
  const content = contentOf(value, kind);
  if (content === undefined) return undefined;
  const ops = randomOps(dice, content);
  return { op: "edit", ...target, path, text: kind, ops, ...(value === undefined && { isOptional: true }) };
}

function changeOfItem(block: JsonObject | undefined, means: Means): Change | undefined {
  if (!block) return undefined;
  const change = changeInList("item", objects(block["items"]), means);
  return change && { ...change, in: idOf(block) };
}

function changeInList(
  of: "item" | "variable" | "note",
  list: readonly JsonObject[],
  { dice, newName, word }: Means,
): Change | undefined {
  const entry = dice.pick(list);
  switch (dice.below(4)) {
    case 0:
      return { op: "add", of, ...before(list, dice), value: { id: newName(), name: word } };
    case 1:
      return entry && { op: "remove", of, id: idOf(entry) };
    case 2:
      return entry && { op: "move", of, id: idOf(entry), ...before(list, dice, entry) };
    default:
      return entry && { op: "set", of, id: idOf(entry), path: [of === "item" ? "content" : "name"], value: word };
  }
}

function before(list: unknown, dice: Dice, moved?: JsonObject): { before?: string } {
  const next = dice.oneIn(3) ? undefined : dice.pick(objects(list).filter((entry) => entry !== moved));
  return next ? { before: idOf(next) } : {};
}

export function idOf({ id }: JsonObject): string {
  return String(id);
}

export function objects(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Returns the document as a draft. Missing lists are empty. */
export function asDraft(document: JsonObject): DraftDocument {
  return { groups: [], edges: [], variables: [], ...document };
}
