import { type Static, Type } from "@sinclair/typebox";
import { valueAt } from "../../interpreter/flow.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { waysOfChoice } from "../../interpreter/program/ways.ts";
import { advanced, itemId, itemSchemas, marked, option, titled, whenEnabled } from "../options.ts";
import examples from "./examples.json";
import {
  type Choice,
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
  id: itemId("Id of the picture, which replies can use."),
  pictureSrc: titled("Picture", option.media("image", "URL of the picture.")),
  title: option.text("Text below the picture, which is the name of the choice."),
  description: option.longText("Text below the title."),
  value: advanced(
    marked(
      { title: "Stored value", help: "Saved instead of the text that visitors see." },
      option.text("Value to store instead of the title."),
    ),
  ),
  ...choiceItemFields,
});

const optionsSchema = Type.Object({
  variableId: option.answerVariable,
  isMultipleChoice: choiceFields.isMultipleChoice,
  isSearchable: choiceFields.isSearchable,
  buttonLabel: choiceFields.buttonLabel,
  searchInputPlaceholder: choiceFields.searchInputPlaceholder,
  dynamicItems: marked(
    { title: "From variables", isAdvanced: true },
    option.part("Variables whose lists replace the items.", {
      isEnabled: marked(
        { title: "Pictures from variables", help: "The variables' lists replace the pictures below." },
        option.flag("Whether lists in variables replace the items."),
      ),
      titlesVariableId: whenEnabled(
        titled("Titles", option.readVariable("Id of the variable with the list of titles.")),
      ),
      descriptionsVariableId: whenEnabled(
        titled("Descriptions", option.readVariable("Id of the variable with the list of descriptions.")),
      ),
      pictureSrcsVariableId: whenEnabled(
        marked(
          { title: "Pictures", help: "URLs of pictures; each URL becomes a choice." },
          option.readVariable("Id of the variable with the list of URLs. Each URL becomes a choice."),
        ),
      ),
    }),
  ),
});

const shownItemSchema = Type.Omit(itemSchema, ["displayCondition", "outgoingEdgeId"]);
const schemas = itemSchemas("pictures", { options: optionsSchema, item: itemSchema, shownItem: shownItemSchema });

type Item = Static<typeof itemSchema>;
type Block = { readonly options?: Static<typeof optionsSchema>; readonly items?: readonly Item[] };

export const pictureChoiceInput = defineInput({
  type: "picture choice input",
  inputType: "picture choice",
  takesStartMessage: false,
  summary:
    "Offers pictures to choose from. Replies are matched as with buttons, by title, or by URL if a picture has no title.",
  ...schemas,
  ask: (block, view) => ({
    ...(block.options && { options: view.deep(block.options) }),
    items: displayed(block, view).map(shownItem),
  }),
  reply(block, view, reply) {
    const items = displayed(block, view).map(choiceOf);
    const named = (block.items ?? []).map(({ title, ...item }) => ({ ...item, content: title }));
    const isMultiple = block.options?.isMultipleChoice ?? false;
    return replyToChoice({ items, isMultiple, edgeOf: (answer) => edgeOfEqualItem(named, answer, view) }, reply);
  },
  wordsOf: (block, view, reply) =>
    wordsOfIds(displayed(block, view).map(choiceOf), block.options?.isMultipleChoice ?? false, reply),
  countedValues: ({ options, items = [] }) =>
    countedChoices(items.map(choiceOf), { isMultiple: options?.isMultipleChoice ?? false }),
  offers: () => /^(?:items\[\d+\]\.(?:title|value|pictureSrc)|options\.dynamicItems\.)/,
  ways: (stored) => waysOfChoice(stored, { isDynamic: valueAt(stored.options, "dynamicItems", "isEnabled") === true }),
  editor: {
    name: "Picture choice",
    icon: "images",
    words: ["image", "photo", "choose", "select", "options", "gallery"],
    row: ["Each of {options.dynamicItems.pictureSrcsVariableId}", "{items}"],
    related: ["choice input", "cards"],
  },
  examples: examples["picture choice input"],
});

/**
 * Returns the items to display. If the variable with the pictures has no value, all items are shown and their display
 * conditions are ignored.
 */
function displayed({ options, items = [] }: Block, view: View): readonly Item[] {
  const { isEnabled, pictureSrcsVariableId, titlesVariableId, descriptionsVariableId } = options?.dynamicItems ?? {};
  if (!isEnabled || pictureSrcsVariableId === undefined) {
    return items
      .filter((item) => isDisplayed(item.displayCondition, view))
      .map((item) => templated(item, textKeys, view));
  }
  const pictures = list(pictureSrcsVariableId, view)?.filter((picture) => picture !== null);
  if (!pictures) return items.map((item) => templated(item, textKeys, view));
  const titles = list(titlesVariableId, view);
  const descriptions = list(descriptionsVariableId, view);
  return pictures.map((pictureSrc, index) => ({
    id: String(index),
    pictureSrc,
    title: titles?.[index] ?? "",
    description: descriptions?.[index] ?? "",
  }));
}

function list(variableId: string | undefined, view: View): readonly (string | null)[] | undefined {
  const value = variableId === undefined ? null : view.variables.get(variableId);
  return value === null ? undefined : elementsOf(value);
}

const textKeys = ["pictureSrc", "title", "description", "value"] as const;

function choiceOf({ id, value, title, pictureSrc, outgoingEdgeId }: Item): Choice {
  return { id, value, content: title || pictureSrc, outgoingEdgeId };
}
