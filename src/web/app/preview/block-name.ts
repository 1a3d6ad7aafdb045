import { isObject, listAt, textAt } from "../../conversation/read.ts";
import { plainText } from "../../conversation/rich-text.ts";

/** The names of types and variables; undefined for unknown ones. */
export type BlockNames = {
  type(type: string): string | undefined;
  variable(id: string): string | undefined;
};

/** A block's name in a line: its type's, and the beginning of its words, its question or its variable. */
export function blockName(block: unknown, names: BlockNames): string {
  const type = textAt(block, "type") ?? "";
  const name = names.type(type) ?? type.charAt(0).toUpperCase() + type.slice(1);
  const detail = detailOf(block, names.variable);
  return detail === "" ? name : `${name}: ${detail}`;
}

function detailOf(block: unknown, variableName: (id: string) => string | undefined): string {
  const said = plainText(listAt(isObject(block) ? block["content"] : undefined, "richText")).trim();
  if (said !== "") return shortened(said);
  const variableId = textAt(block, "options", "variableId");
  const variable = variableId === undefined ? undefined : variableName(variableId);
  if (variable !== undefined) return variable;
  const items = listAt(block, "items").flatMap((item) => textAt(item, "content") ?? []);
  return shortened(items.join(", ") || (textAt(block, "options", "webhook", "url") ?? ""));
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
