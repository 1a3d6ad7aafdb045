import { textAt, valueAt } from "../../interpreter/flow.ts";
import { itemsOf } from "../../interpreter/program/ways.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const equalItemTexts: Rule = {
  name: "equal_item_texts",
  severity: "warning",
  about:
    "Two items of one input have the same label or stored value. Typed text, and clients other than Parley's own, select the first of these items. If visitors can choose several items, upper and lower case and spaces make no difference. Parley's own pages send the id of the chosen item, unless the id is a word in another item's text.",
  advice: "Give each item a unique text.",
  *find({ blocks }) {
    for (const linted of blocks) {
      const { block } = linted;
      const isMultiple = valueAt(block.options, "isMultipleChoice") === true;
      const seen = new Map<string, string | undefined>();
      const items = choosable.has(block.type) ? itemsOf(block) : [];
      for (const { at, id, item } of items) {
        const texts = new Set(wordsOf(item).map((text) => comparable(text, isMultiple)));
        const shared = [...texts].find((text) => seen.has(text));
        for (const text of texts) if (!seen.has(text)) seen.set(text, id);
        if (shared === undefined) continue;
        const others = items.filter((other) => other.item !== item);
        const isUnclear =
          id === undefined || others.some((other) => isWordIn(id, [other.id ?? "", ...wordsOf(other.item)]));
        yield {
          ...placeIn(linted, at, id),
          message: isUnclear
            ? "An earlier item has the same text, and the id of this item is a word in another item: visitors cannot choose it separately."
            : "An earlier item has the same text, so typing this text selects the earlier item.",
        };
      }
    }
  },
};

const choosable: ReadonlySet<string> = new Set(["choice input", "picture choice input"]);

/** Returns the texts of an item without replacing variables. Equal texts are then equal in every chat. */
function wordsOf(item: unknown): string[] {
  const label = textAt(item, "content") || textAt(item, "title") || textAt(item, "pictureSrc");
  return [label, textAt(item, "value")].flatMap((text) => (text?.trim() ? [text] : []));
}

function comparable(text: string, isMultiple: boolean): string {
  return isMultiple ? text.trim().replace(/\s+/g, " ").toLowerCase() : text.trim();
}

function isWordIn(id: string, texts: readonly string[]): boolean {
  return texts.some((text) => ` ${runs(text)} `.includes(` ${runs(id)} `));
}

function runs(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}
