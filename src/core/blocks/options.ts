import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import { option as fields, helped, marked, section, titled } from "../interpreter/schemas/fields.ts";

export {
  advanced,
  helped,
  hiddenFromGuests,
  marked,
  shownWhen,
  titled,
  whenEnabled,
} from "../interpreter/schemas/fields.ts";

/** Returns the schema of a block type that stores only options. */
export function blockSchema<Fields extends TProperties>(options: Fields) {
  return Type.Object({ options: Type.Optional(Type.Object(options)) });
}

/** Returns two schemas for a block with items: the stored block, and the block that visitors' clients receive. */
export function itemSchemas<Options extends TObject, Item extends TObject, Shown extends TObject>(
  noun: string,
  { options, item, shownItem }: { options: Options; item: Item; shownItem: Shown },
) {
  const [title, plural] = [noun.charAt(0).toUpperCase() + noun.slice(1), `The ${noun}`];
  const offered = `${plural} that this visitor is offered, in order.`;
  return {
    schema: Type.Object({
      options: Type.Optional(options),
      items: Type.Optional(Type.Array(item, { title, description: `${plural}, in order.` })),
    }),
    shown: Type.Object({
      options: Type.Optional(options),
      items: Type.Array(shownItem, { description: offered }),
    }),
  };
}

/** Defines the id of an item. Edges and replies refer to the item by this id. */
export function itemId(description: string) {
  return Type.String({ description, title: "Id", widget: "kept" });
}

function part<Fields extends TProperties>(description: string, inner: Fields) {
  return section(inner, { description });
}

function list<Fields extends TProperties>(description: string, inner: Fields) {
  return Type.Optional(Type.Array(Type.Object(inner), { description }));
}

function labels<Fields extends TProperties>(inner: Fields) {
  return part("The labels of the input.", inner);
}

/** Definitions of the fields of block options. */
export const option = {
  ...fields,
  part,
  list,
  labels,
  /** Defines the labels of an input with a text field and a button. */
  fieldLabels: (placeholder: string) =>
    labels({
      placeholder: fields.text("Shown in the empty field.", placeholder),
      button: fields.text("Label of the submit button.", "Send"),
    }),
  /** The variable that stores the answer. Every input supports this option. */
  answerVariable: titled("Save answer in", fields.writtenVariable("Id of the variable that stores the answer.")),
  retryMessage(byDefault?: string) {
    const description =
      "The message when a reply is rejected. If this field has no default, it is the bot's `invalidMessage`.";
    const field = titled("Message for an invalid reply", fields.text(description, byDefault));
    return byDefault === undefined ? helped("Leave it empty to use the message in the bot's settings.", field) : field;
  },
  /**
   * The failure edge, by which the flow continues if a call of the block fails. The block reports the failure by
   * setting `failed` in its outcome.
   */
  failure: marked(
    { title: "If the call fails", isAdvanced: true },
    part("The path to follow if the call fails: no response, an error status, or an unreadable response.", {
      outgoingEdgeId: titled(
        "Leads to",
        fields.edge(
          "Id of the edge to follow if the call fails. Without it, the flow continues as after a successful call.",
        ),
      ),
    }),
  ),
  leadsTo: (description: string) => titled("Leads to", fields.edge(description)),
  /** Defines the list that maps parts of a response (`data` and `statusCode`) to variables. See `mapResponse`. */
  responseMapping: (description: string) =>
    titled(
      "Save in variables",
      list(description, {
        variableId: fields.writtenVariable("Id of the variable to set."),
        bodyPath: marked(
          { title: "Value", help: "JavaScript with `data` and `statusCode`, such as `data.name`." },
          fields.code(
            "JavaScript that returns the value from `data` and `statusCode`. If it fails, the variable does not change.",
          ),
        ),
      }),
    ),
};

/** Defines the list that maps parts of an answer to variables. An entry without a part means the first of the items. */
export function mappingOption<const Item extends string>(items: readonly Item[]) {
  return titled(
    "Save in variables",
    option.list(
      "Parts of the answer to save in variables. If a language model gives no answer, the variable for its text is cleared.",
      {
        item: titled("Part", option.word<Item>(items, "Part of the answer.", items[0])),
        variableId: option.writtenVariable("Id of the variable to set."),
      },
    ),
  );
}
