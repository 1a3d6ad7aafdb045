import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { advanced, itemId, itemSchemas, marked, option, titled } from "../options.ts";
import examples from "./examples.json";
import { shownOptions } from "./helpers.ts";
import { templated } from "./matching/choices.ts";
import { saidInOrder } from "./matching/said-in-order.ts";
import { exampleLabels, numbered, shownTexts } from "./numbered.ts";

const itemSchema = Type.Object({
  id: itemId("Id of the item, which replies can use."),
  content: titled("Text", option.text("Text of the item.")),
  value: advanced(
    marked(
      { title: "Stored value", help: "Saved instead of the text that visitors see." },
      option.text("Value to store instead of the text."),
    ),
  ),
});

const optionsSchema = Type.Object({
  variableId: option.answerVariable,
  labels: option.labels({ button: option.text("Label of the submit button.", "Send") }),
});

const schemas = itemSchemas("items", { options: optionsSchema, item: itemSchema, shownItem: itemSchema });

export const rankingInput = defineInput({
  type: "ranking input",
  inputType: "ranking",
  takesStartMessage: false,
  summary: "Asks visitors to put items in order, most important first.",
  ...schemas,
  ask: ({ options, items }, view) => ({ ...shownOptions(options, view), items: shownItems(items, view) }),
  reply({ items }, view, reply) {
    if (reply?.type !== "text") return { kind: "invalid" };
    const offered = shownItems(items, view);
    const said = saidInOrder(offered, reply.text);
    if (said === undefined || said.length !== offered.length || new Set(said).size !== said.length)
      return { kind: "invalid" };
    const list = said.map(({ value, content }) => value || content);
    return list.length === 0 ? { kind: "skipped" } : { kind: "accepted", content: list.join(", ") };
  },
  offers: () => /^items\[/,
  asKnown(shown) {
    const texts = shownTexts(shown["items"], "content");
    const example = texts.map((_, index) => index + 1).join(", ");
    return { said: numbered(texts), type: "text input", options: exampleLabels(shown, example) };
  },
  advice: ({ items = [] }) =>
    items.length > limits.inputs.rankedItems
      ? `A ranking can have at most ${limits.inputs.rankedItems} items. Visitors do not see the others.`
      : undefined,
  editor: {
    name: "Ranking",
    icon: "list-ordered",
    words: ["order", "sort", "priority", "preference", "rank", "drag"],
    row: ["{items}"],
    related: ["choice input", "rating input", "matrix input"],
  },
  examples: examples["ranking input"],
});

type Item = { readonly id: string; readonly content?: string; readonly value?: string };

/**
 * Returns the items to rank. Items without text and items with duplicate text are removed, because a reply could not
 * identify them.
 */
function shownItems(items: readonly Item[] | undefined, view: View) {
  const shown = new Map<string, Item & { readonly content: string }>();
  for (const item of items ?? []) {
    const filled = templated(item, ["content", "value"], view);
    const content = filled.content?.trim() ?? "";
    if (content !== "" && !shown.has(content)) shown.set(content, { ...filled, content });
  }
  return [...shown.values()].slice(0, limits.inputs.rankedItems);
}
