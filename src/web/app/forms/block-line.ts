import { isJsonObject, type JsonObject, textAt } from "../../../core/interpreter/flow.ts";
import { type BlockType, rowText } from "./reading.ts";
import type { Names } from "./row.ts";

type Types = ReadonlyMap<string, BlockType> | undefined;

/** `isWhole`: whether the text is not shortened. `hasItems`: whether the block's items have texts of their own. */
type Telling = { readonly isWhole?: boolean; readonly hasItems?: boolean };

/**
 * Returns the text of a block as one line, according to the description of its type. Returns an empty text for a block
 * of an unknown type or without text.
 */
export function lineOfBlock(
  block: JsonObject,
  types: Types,
  names: Names,
  { isWhole = false, hasItems = false }: Telling = {},
): string {
  const known = types?.get(textAt(block, "type") ?? "");
  if (!known) return "";
  const row = known.editor.row.filter((text) => !hasItems || !text.includes("{items}"));
  return rowText(row, { schema: known.schema, value: block, names, isWhole });
}

/** Returns the text of an item: the label of a button, a condition, or a path. */
export function lineOfItem(block: JsonObject, item: unknown, types: Types, names: Names): string {
  const schema = types?.get(textAt(block, "type") ?? "")?.schema;
  const said = schema ? rowText(["{items}"], { schema, value: { items: [item] }, names }) : "";
  return said || plainLine(item);
}

function plainLine(item: unknown): string {
  if (!isJsonObject(item)) return "";
  return textAt(item, "content") ?? textAt(item, "title") ?? textAt(item, "path")?.toUpperCase() ?? "";
}
