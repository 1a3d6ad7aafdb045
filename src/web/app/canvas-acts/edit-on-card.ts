import { batch } from "@preact/signals";
import { entriesOf, idOf } from "../../../core/editing/changes/things.ts";
import { referencesIn } from "../../../core/editing/references/references.ts";
import { type JsonObject, textAt, valueAt } from "../../../core/interpreter/flow.ts";
import type { FlowThing } from "../editor/commands/command.ts";
import { type BlockType, type FieldSchema, type Path, rowText, schemaAt, widgetOf } from "../forms/reading.ts";
import type { ActContext } from "./act-context.ts";
import type { Caret } from "./caret.ts";
import type { Editing } from "./state.ts";

/** The text or variable to edit. If only `id` is set, the title of the card with this id. */
type Meant = {
  readonly id: string;
  readonly blockId?: string | undefined;
  readonly itemId?: string | undefined;
  /** The path of an item's button. */
  readonly pathId?: string | undefined;
  /** Whether the variable that the block saves to is edited, instead of the text. */
  readonly isVariable?: boolean;
  /** Whether the option was added in order to be edited. */
  readonly isNew?: boolean;
};

/** The lowest zoom at which text can be edited on a card. At a lower zoom, letters are too small to point at. */
export const leastWritingZoom = 0.6;

/**
 * Starts editing on a card: its title, or a text, a label, an option or a variable of a row. Returns whether the text
 * can be edited on the card.
 */
export function editOnCard(context: ActContext, meant: Meant, caret?: Caret): boolean {
  const place = placeOnCard(context, meant);
  if (!place) return false;
  batch(() => {
    const { blockId, itemId, pathId, isNew } = meant;
    // Selects the edited object. Editing ends when another object is selected.
    if (itemId !== undefined && blockId !== undefined)
      select(context, { kind: "item", id: itemId, blockId, ...(pathId !== undefined && { part: pathId }) });
    else if (blockId !== undefined) select(context, { kind: "block", id: blockId });
    context.state.editing.value = { ...place, ...(caret && { caret }), ...(isNew && { isNew }) };
  });
  return true;
}

function select({ bot: { editor } }: ActContext, thing: FlowThing): void {
  editor.selection.select(thing);
}

/** Returns the part of a row that F2 edits. The row of an exit has no editable text. */
export function meantBy({ kind, id, blockId, part }: FlowThing): Meant {
  if (kind === "item") return { id: "", blockId, itemId: id, pathId: part };
  return { id: "", blockId: part === undefined ? id : "" };
}

/** Whether a block has options that can be edited on its card. */
export function hasOptions(type: BlockType | undefined): boolean {
  return type?.editor.items !== "branches" && keyOfItem(type?.schema) !== undefined;
}

/** Returns the field that would be edited on a card; undefined if only the form can edit it. */
export function placeOnCard({ bot, view, types }: ActContext, meant: Meant): Editing | undefined {
  const { blockId: id, itemId, pathId } = meant;
  if (id === undefined) return { kind: "title", id: meant.id };
  const { store } = bot.editor;
  const block = store.find.block(id)?.block;
  const type = types()?.get(textAt(block, "type") ?? "");
  if (!block) return undefined;
  if (meant.isVariable) {
    const name = (variableId: string) => store.variables.value.find((one) => one.id === variableId)?.name;
    const path = pathOfVariable(block, view.scene.value.rowOf(id)?.row.text ?? "", name);
    return path && { kind: "field", id, path };
  }
  if (itemId !== undefined) {
    const key = pathId === undefined ? keyOfItem(type?.schema) : "text";
    return key === undefined ? undefined : { kind: "field", id, itemId, ...(pathId && { pathId }), path: [key] };
  }
  if (Array.isArray(valueAt(block, "content", "richText"))) return { kind: "text", id };
  const path = type && (pathOfMedia(type.schema) ?? pathOfLabel(type, block));
  return path && { kind: "field", id, path };
}

/** Returns the path of a field within its block; undefined if the field's item or button was removed. */
export function pathInBlock(block: JsonObject, { itemId, pathId, path }: Extract<Editing, { kind: "field" }>) {
  if (itemId === undefined) return path;
  const items = entriesOf(block["items"]);
  const at = items.findIndex((item) => idOf(item) === itemId);
  if (at < 0 || pathId === undefined) return at < 0 ? undefined : ["items", at, ...path];
  const within = entriesOf(valueAt(items[at], "paths")).findIndex((one) => idOf(one) === pathId);
  return within < 0 ? undefined : ["items", at, "paths", within, ...path];
}

function keyOfItem(schema: FieldSchema | undefined): string | undefined {
  const item = schema && schemaAt(schema, ["items", 0]);
  return ["content", "title"].find((key) => isWritten(item?.properties?.[key]));
}

function isWritten(field: FieldSchema | undefined): boolean {
  return field?.type === "string" && ["text", "longText"].includes(widgetOf(field));
}

function pathOfMedia({ properties }: FieldSchema): Path | undefined {
  const content = Object.entries(properties?.["content"]?.properties ?? {});
  const [key] = content.find(([, field]) => widgetOf(field) === "media") ?? [];
  return key === undefined ? undefined : ["content", key];
}

/**
 * Returns the path of the label that a row shows, including a default label; undefined if the row shows another text.
 */
function pathOfLabel({ schema, editor }: BlockType, block: JsonObject): Path | undefined {
  const names = { variable: () => undefined, group: () => undefined, bot: () => undefined };
  const template = editor.row.find((one) => rowText([one], { schema, value: block, names }) !== "");
  const [, label] = /^\{options\.labels\.(\w+)\}$/.exec(template ?? "") ?? [];
  return label === undefined ? undefined : ["options", "labels", label];
}

/**
 * Returns the path of the variable that a row shows after its text, or undefined if there is none. This is the first
 * variable that the block sets, except a variable whose name already begins the text.
 */
function pathOfVariable(block: JsonObject, line: string, name: (id: string) => string | undefined): Path | undefined {
  const found = referencesIn(block).find(({ to, how, value }) => {
    const called = to === "variable" && how === "write" ? name(value) : undefined;
    return called !== undefined && !line.startsWith(called);
  });
  return typeof found?.path.at(-1) === "string" ? found.path : undefined;
}
