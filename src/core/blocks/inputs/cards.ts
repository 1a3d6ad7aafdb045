import { type Static, Type } from "@sinclair/typebox";
import { type FlowBlock, textAt, valueAt } from "../../interpreter/flow.ts";
import { singleReference } from "../../interpreter/language/template.ts";
import type { Value } from "../../interpreter/language/values.ts";
import { defineInput } from "../../interpreter/program/block.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { itemsOf, type Way, type Ways, wayOfItem } from "../../interpreter/program/ways.ts";
import { advanced, helped, itemId, itemSchemas, marked, option, titled } from "../options.ts";
import examples from "./examples.json";
import type { ChoiceReply } from "./matching/choice-matching.ts";
import { countedChoices, displayConditionSchema, isDisplayed, templated } from "./matching/choices.ts";

const pathSchema = Type.Object({
  id: itemId("Id of the button, which replies can use."),
  text: option.text("Text of the button."),
  outgoingEdgeId: option.leadsTo("Id of the edge to follow when the button is pressed."),
});

const itemSchema = Type.Object({
  id: itemId("Id of the card."),
  imageUrl: titled("Image", option.media("image", "URL of the card's image.")),
  title: helped(
    "Saved as the answer when a visitor chooses the card.",
    option.text("Title of the card. It is also the answer when a visitor chooses the card."),
  ),
  description: option.longText("Text below the title."),
  options: marked(
    { title: "Hidden data", isAdvanced: true },
    option.part("Data of the card that visitors do not see.", {
      displayCondition: Type.Optional(displayConditionSchema),
      internalValue: advanced(
        helped(
          "Your own value, for “Save parts of the card”; visitors do not see it.",
          option.text("Your own value for the card, which `saveResponseMapping` can save. Visitors never see it."),
        ),
      ),
    }),
  ),
  paths: Type.Optional(Type.Array(pathSchema, { title: "Buttons", description: "The card's buttons." })),
});

const savedFields = ["Image URL", "Title", "Description", "Button", "Internal Value"] as const;
const optionsSchema = Type.Object({
  variableId: option.answerVariable,
  saveResponseMapping: titled(
    "Save parts of the card",
    option.list("Parts of the chosen card to save in variables.", {
      field: titled("Part", option.word(savedFields, "Part of the chosen card.")),
      variableId: option.writtenVariable("Id of the variable to set."),
    }),
  ),
});

const shownCardSchema = Type.Object({
  ...Type.Omit(itemSchema, ["options", "paths"]).properties,
  paths: Type.Array(Type.Omit(pathSchema, ["outgoingEdgeId"]), { description: "The card's buttons." }),
});
const schemas = itemSchemas("cards", { options: optionsSchema, item: itemSchema, shownItem: shownCardSchema });

type Item = Static<typeof itemSchema>;
type Path = Static<typeof pathSchema>;
type Mapping = NonNullable<Static<typeof optionsSchema>["saveResponseMapping"]>;
type Texts = { readonly [Key in (typeof textKeys)[number]]?: string | undefined };
type Card = Texts & { readonly id: string; readonly paths: readonly Path[] };

export const cards = defineInput({
  type: "cards",
  inputType: "cards",
  takesStartMessage: false,
  writesBeforeReplyEvent: true,
  summary:
    "Offers cards with buttons. A single card whose fields are variables with lists becomes one card for each element.",
  ...schemas,
  ask: ({ options, items }, view) => ({
    ...(options && { options: view.deep(options) }),
    items: displayed(items ?? [], view).map(shownCard),
  }),
  reply({ options, items }, view, reply) {
    if (reply?.type !== "text") return { kind: "invalid" };
    const chosen = match(displayed(items ?? [], view), reply);
    const content = chosen?.card.title || chosen?.card.imageUrl;
    if (!chosen || !content) return { kind: "invalid" };
    const edgeId = chosen.path?.outgoingEdgeId;
    const writes = mappedWrites(options?.saveResponseMapping ?? [], chosen);
    return { kind: "accepted", content, writes, ...(edgeId !== undefined && { edgeId }) };
  },
  countedValues: ({ items = [] }) =>
    countedChoices(
      items.map(({ title, imageUrl }) => ({ content: title || imageUrl })),
      { isMultiple: false },
    ),
  offers: () => /^items\[/,
  ways: waysOfCards,
  editor: {
    name: "Cards",
    icon: "gallery-horizontal",
    words: ["carousel", "products", "buttons", "select", "choose"],
    row: ["{items}"],
    related: ["picture choice input", "choice input"],
  },
  examples: examples["cards"],
});

function displayed(items: readonly Item[], view: View): Card[] {
  const shown = items.filter((item) => isDisplayed(item.options?.displayCondition, view));
  const [only] = shown;
  const generated = only && shown.length === 1 ? generatedCards(only, view) : undefined;
  return generated ?? shown.map((item) => cardOf(item, view));
}

function cardOf(item: Item, view: View): Card {
  return { id: item.id, ...templated(textsOf(item), textKeys, view), paths: pathsOf(item, view) };
}

function pathsOf({ paths = [] }: Item, view: View): Path[] {
  return paths.map((path) => templated(path, ["text"], view));
}

const textKeys = ["title", "imageUrl", "description", "internalValue"] as const;

/**
 * Generates one card per element of the first list in the item's fields, or returns undefined if no visible field is a
 * list.
 */
function generatedCards(item: Item, view: View): Card[] | undefined {
  const texts = textsOf(item);
  const values = ofEach((key) => listOrText(texts[key], view));
  if (![values.title, values.imageUrl, values.description].some(Array.isArray)) return undefined;
  const list = Object.values(values).find(Array.isArray) ?? [];
  const paths = pathsOf(item, view);
  // Even a short list can produce a large output when the card has many paths.
  view.templates.spend?.(list.length * paths.length * charactersPerPath);
  return list.map((_, index) => ({
    id: item.id,
    ...ofEach((key) => at(values[key], index)),
    paths: paths.map((path, position) => ({ ...path, id: `dynamic-card-${index}-path-${position}` })),
  }));
}

const charactersPerPath = 32;

function ofEach<Found>(find: (key: (typeof textKeys)[number]) => Found) {
  const [title, imageUrl, description] = [find("title"), find("imageUrl"), find("description")];
  return { title, imageUrl, description, internalValue: find("internalValue") };
}

function textsOf({ title, imageUrl, description, options }: Item): Texts {
  return { title, imageUrl, description, internalValue: options?.internalValue };
}

/** Returns the value of the variable if the field consists of a single variable reference, or otherwise undefined. */
function listOrText(field: string | undefined, view: View): Value | undefined {
  const name = field === undefined ? undefined : singleReference(field);
  return name === undefined ? undefined : view.variables.byName(name);
}

function at(value: Value | undefined, index: number): string | undefined {
  return (Array.isArray(value) ? value[index] : value) ?? undefined;
}

function shownCard({ internalValue: _, paths, ...card }: Card): Record<string, unknown> {
  const texts = Object.fromEntries(Object.entries(card).filter(([, text]) => text !== undefined));
  return { ...texts, paths: paths.map(({ id, text }) => ({ id, ...(text !== undefined && { text }) })) };
}

/**
 * Finds the card that a reply names, by the id of a button or by the title of a card. A title selects the card's first
 * button. Returns undefined if no card matches.
 */
function match(
  shown: readonly Card[],
  { text, replyId }: ChoiceReply,
): { card: Card; path: Path | undefined } | undefined {
  const said = text.trim().toLowerCase();
  for (const card of shown.toSorted((a, b) => (b.title?.length ?? 0) - (a.title?.length ?? 0))) {
    const path = card.paths.find(({ id }) => id === text || id === replyId);
    if (path) return { card, path };
    if (said !== "" && card.title?.trim().toLowerCase() === said) return { card, path: card.paths[0] };
  }
  return undefined;
}

function mappedWrites(mapping: Mapping, { card, path }: { card: Card; path: Path | undefined }): Write[] {
  const parts: Readonly<Record<(typeof savedFields)[number], string | undefined>> = {
    "Image URL": card.imageUrl,
    Title: card.title,
    Description: card.description,
    Button: path?.text,
    "Internal Value": card.internalValue || undefined,
  };
  return mapping.flatMap(({ field, variableId }) => {
    const value = field === undefined ? undefined : parts[field];
    return value === undefined || variableId === undefined ? [] : [{ variableId, value }];
  });
}

/**
 * Returns the continuations after cards. A button leads through its own edge, or through the block's edge if it has
 * none. A card without buttons leads through the block's edge.
 */
function waysOfCards(stored: FlowBlock): Ways {
  const ways = itemsOf(stored).flatMap(({ at, item }): Way[] => {
    const paths = valueAt(item, "paths");
    if (!Array.isArray(paths) || paths.length === 0) return [{ kind: "on" }];
    return paths.map((path: unknown, index) =>
      wayOfItem({ at: `${at}.paths[${index}]`, id: textAt(path, "id"), item: path }, "on"),
    );
  });
  return { waits: true, ways };
}
