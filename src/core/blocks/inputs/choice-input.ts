import { type Static, Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import type { Value } from "../../interpreter/language/values.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { waysOfChoice } from "../../interpreter/program/ways.ts";
import { cells, drawn } from "../../interpreter/schemas/form-layout.ts";
import { advanced, itemId, itemSchemas, marked, option, titled } from "../options.ts";
import examples from "./examples.json";
import {
  choiceFields,
  choiceItemFields,
  countedChoices,
  edgeOfEqualItem,
  elementsOf,
  isDisplayed,
  replyToChoice,
  shownItem,
  templated,
  wordsOfIds,
} from "./matching/choices.ts";

const itemSchema = Type.Object({
  id: itemId("Id of the button, which replies can use."),
  content: titled("Label", option.text("Text of the button.")),
  value: advanced(
    marked(
      { title: "Stored value", help: "Saved instead of the text that visitors see." },
      option.text("Value to store instead of the content."),
    ),
  ),
  ...choiceItemFields,
});

const optionsSchema = Type.Object({
  variableId: option.answerVariable,
  isMultipleChoice: choiceFields.isMultipleChoice,
  buttonLabel: choiceFields.buttonLabel,
  dynamicVariableId: marked(
    { title: "Choices from a variable", isAdvanced: true, help: "The variable's list replaces the buttons." },
    option.readVariable("Id of a variable whose list replaces the items."),
  ),
  isSearchable: choiceFields.isSearchable,
  searchInputPlaceholder: choiceFields.searchInputPlaceholder,
  areInitialSearchButtonsVisible: marked(
    { title: "Show choices before a search", shownWhen: { isSearchable: [true] } },
    option.flag("Whether the client shows choices before the visitor searches.", true),
  ),
});

const shownItemSchema = Type.Pick(itemSchema, ["id", "content", "value"]);
const schemas = itemSchemas("buttons", { options: optionsSchema, item: itemSchema, shownItem: shownItemSchema });

type Item = Static<typeof itemSchema>;
type Options = Static<typeof optionsSchema>;
type Block = { readonly options?: Options; readonly items?: readonly Item[] };

export const choiceInput = defineInput({
  type: "choice input",
  inputType: "buttons",
  takesStartMessage: false,
  summary:
    "Offers buttons. A single choice must match a content, value or id exactly. Several choices are found anywhere in the reply, also by their numbers.",
  ...schemas,
  ask(block, view) {
    const { options, items } = displayed(block, view);
    return { ...(options !== undefined && { options }), items: items.map(shownItem) };
  },
  reply(block, view, reply) {
    const { items } = displayed(block, view);
    const isMultiple = block.options?.isMultipleChoice ?? false;
    return replyToChoice(
      { items, isMultiple, edgeOf: (answer) => edgeOfEqualItem(block.items ?? [], answer, view) },
      reply,
    );
  },
  wordsOf: (block, view, reply) =>
    wordsOfIds(displayed(block, view).items, block.options?.isMultipleChoice ?? false, reply),
  countedValues: ({ options, items = [] }) => countedChoices(items, { isMultiple: options?.isMultipleChoice ?? false }),
  offers: () => /^(?:items\[\d+\]\.(?:content|value)|options\.dynamicVariableId)$/,
  ways: (stored) => waysOfChoice(stored, { isDynamic: Boolean(textAt(stored.options, "dynamicVariableId")) }),
  editor: {
    name: "Buttons",
    icon: "mouse-pointer-click",
    words: ["choice", "choose", "options", "select", "menu", "quick reply", "multiple choice"],
    row: ["Each of {options.dynamicVariableId}", "{items}"],
    form: [
      drawn("items", "choices"),
      cells(["options.isMultipleChoice", 3], ["options.isSearchable", 2]),
      cells("options.buttonLabel", "options.searchInputPlaceholder"),
      cells("options.areInitialSearchButtonsVisible"),
      cells("options.variableId"),
    ],
    related: ["picture choice input", "cards", "text input", "rating input"],
  },
  examples: examples["choice input"],
});

/**
 * Returns the options and items to display. If the block's list variable has no value, the stored options and items are
 * returned without replacing variables.
 */
function displayed(block: Block, view: View): { options: unknown; items: readonly Item[] } {
  const { options, items = [] } = block;
  if (options?.dynamicVariableId) {
    const list = view.variables.get(options.dynamicVariableId);
    return list === null ? { options, items } : { options: shownOptions(options, view), items: generated(list) };
  }
  const shown = items
    .filter((item) => isDisplayed(item.displayCondition, view))
    .map((item) => templated(item, ["content", "value"], view));
  return { options: options && shownOptions(options, view), items: shown };
}

/**
 * Returns an item for each distinct, non-empty element of a list. Templates in the elements are not evaluated, because
 * the elements may come from a visitor or a server.
 */
function generated(list: NonNullable<Value>): Item[] {
  const contents = new Set(elementsOf(list).flatMap((element) => (element ? [element] : [])));
  return [...contents].map((content, index) => ({ id: `choice${index}`, content }));
}

/**
 * Returns the options for the client. By default, clients show no choices before a search if the input is searchable
 * and allows several choices. The flag `areInitialSearchButtonsVisible` makes the choices visible.
 */
function shownOptions(options: Options, view: View): unknown {
  const isHiddenByClients = options.isMultipleChoice && options.isSearchable;
  return view.deep(isHiddenByClients ? { areInitialSearchButtonsVisible: true, ...options } : options);
}
