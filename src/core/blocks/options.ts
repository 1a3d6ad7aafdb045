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

/** The schema of a block type that stores only options. */
export function blockSchema<Fields extends TProperties>(options: Fields) {
  return Type.Object({ options: Type.Optional(Type.Object(options)) });
}

/** The schemas of a block with items: as the block is stored, and as visitors' clients get it. */
export function itemSchemas<Options extends TObject, Item extends TObject, Shown extends TObject>(
  noun: string,
  { options, item, shownItem }: { options: Options; item: Item; shownItem: Shown },
) {
  const [title, plural] = [noun.charAt(0).toUpperCase() + noun.slice(1), `The ${noun}`];
  const offered = `${plural} that this visitor is offered, in their order.`;
  return {
    schema: Type.Object({
      options: Type.Optional(options),
      items: Type.Optional(Type.Array(item, { title, description: `${plural}, in their order.` })),
    }),
    shown: Type.Object({
      options: Type.Optional(options),
      items: Type.Array(shownItem, { description: offered }),
    }),
  };
}

/** The id of an item, by which edges and replies refer to it. */
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
  return part("The words of the input.", inner);
}

/** The fields of blocks, each with its description, and with the default of an absent one. */
export const option = {
  ...fields,
  /** Fields that belong together, as an object. */
  part,
  /** A list of objects with these fields. */
  list,
  /** The words of an input. */
  labels,
  /** The labels of an input with a field and a button. */
  fieldLabels: (placeholder: string) =>
    labels({
      placeholder: fields.text("Shown in the empty field.", placeholder),
      button: fields.text("Label of the button that sends.", "Send"),
    }),
  /** The variable that stores the answer: every input may name a variable. */
  answerVariable: titled("Save answer in", fields.writtenVariable("Id of the variable that the answer is written to.")),
  retryMessage(byDefault?: string) {
    const description = "The message when the reply is refused; absent: the bot's own `invalidMessage`.";
    const field = titled("When the reply is refused", fields.text(description, byDefault));
    return byDefault === undefined ? helped("Leave it empty for the message in the bot's settings.", field) : field;
  },
  /** The edge by which the flow continues if a call of the block fails. The block's outcome sets `failed`. */
  failure: marked(
    { title: "When it fails", isAdvanced: true },
    part("Where the flow goes on if the call fails: no answer, one without success, or one that cannot be read.", {
      outgoingEdgeId: titled(
        "Leads to",
        fields.edge("Id of the edge for a failure. Absent: the flow goes on as after a call that succeeded."),
      ),
    }),
  ),
  /** The edge of an item. */
  leadsTo: (description: string) => titled("Leads to", fields.edge(description)),
  /** The parts of a response that variables take, from `data` and `statusCode`: see `mapResponse`. */
  responseMapping: (description: string) =>
    titled(
      "Save in variables",
      list(description, {
        variableId: fields.writtenVariable("Id of the variable that is set."),
        bodyPath: marked(
          { title: "Value", help: "JavaScript with `data` and `statusCode`, such as `data.name`." },
          fields.code(
            "JavaScript that returns the value from `data` and `statusCode`. If it fails, the variable does not change.",
          ),
        ),
      }),
    ),
};

/** The parts of an answer that variables can take. Without a word the first item applies. */
export function mappingOption<const Item extends string>(items: readonly Item[]) {
  return titled(
    "Save in variables",
    option.list(
      "Parts of the answer to save in variables. Without an answer, the variable of the message is cleared.",
      {
        item: titled("Part", option.word<Item>(items, "Part of the answer.", items[0])),
        variableId: option.writtenVariable("Id of the variable that is set."),
      },
    ),
  );
}
