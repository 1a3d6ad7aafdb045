import { entriesOf, idOf } from "../../../../core/editing/changes/things.ts";
import { isJsonObject, textAt, valueAt } from "../../../../core/interpreter/flow.ts";
import type { CardRow } from "../../canvas/contract.ts";
import { lineOfBlock, lineOfItem } from "../../forms/block-line.ts";
import type { Names } from "../../forms/index.ts";
import type { ActContext } from "../act-context.ts";
import type { Place } from "./use-rested.ts";

/** The full text of a row, without a limit of room. `name`: the name of its type. */
export type Whole = { readonly name: string; readonly text: string; readonly isCode: boolean };

/** The lines of a quick look; a form has them all. */
const mostLines = 40;

export function wholeOf({ card, row }: Place, { view, bot: { editor }, types }: ActContext): Whole | undefined {
  if (!row) return { name: "", text: card.title, isCode: false };
  const { kind, blockId, itemId } = row;
  const { store } = editor;
  const block = store.block(blockId).value?.block;
  if (!block) return undefined;
  const known = types()?.get(textAt(block, "type") ?? "");
  const names: Names = {
    variable: (id) => store.variables.value.find((one) => one.id === id)?.name,
    group: (id) => textAt(store.group(id).value, "title"),
    bot: (id) => view.bots.value.get(id),
  };
  const items = entriesOf(block["items"]);
  if (kind === "item") {
    const item = items.find((one) => idOf(one) === itemId);
    return { name: "", text: lineOfItem(block, item, types(), names), isCode: false };
  }
  const isCode = known?.editor.row.some((text) => text.includes(":line")) ?? false;
  const richText = valueAt(block, "content", "richText");
  const text = Array.isArray(richText)
    ? richText.flatMap(linesIn).join("\n").trim()
    : lineOfBlock(block, types(), names, { hasItems: items.length > 0, isWhole: true });
  return { name: known?.editor.name ?? "", text, isCode };
}

/** Each paragraph, and each entry of a list, is a line. */
function linesIn(node: unknown): readonly string[] {
  const children = entriesOf(isJsonObject(node) ? node["children"] : undefined);
  if (children.some((child) => /^(p|ul|ol|li|lic)$/.test(textAt(child, "type") ?? "")))
    return children.flatMap(linesIn);
  return [children.length > 0 ? children.flatMap(linesIn).join("") : (textAt(node, "text") ?? "")];
}

/** Whether a row says less than there is: it is shortened, or its element has no room. */
export function isFolded(element: Element, row: CardRow | undefined, { text }: Whole): boolean {
  if (text === "") return false;
  if (row && text.replaceAll(/\s+/g, " ").trim() !== row.text) return true;
  const shown = element.querySelector(row ? ".canvas-text" : ".canvas-title-text");
  return shown !== null && (shown.scrollHeight > shown.clientHeight + 1 || shown.scrollWidth > shown.clientWidth + 1);
}

/** The lines of a text, each in parts: words, and names of variables. */
export function partsOf(whole: string) {
  const all = whole.split("\n");
  const lines = all.length > mostLines ? [...all.slice(0, mostLines), "…"] : all;
  return lines.map((line) => line.split(/\{\{([^{}]+)\}\}/).map((text, index) => ({ text, isName: index % 2 === 1 })));
}
