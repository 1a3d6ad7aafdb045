import { Type } from "@sinclair/typebox";
import { blocks } from "../../core/blocks/index.ts";
import { unservedBlocks } from "../../core/flow/known-keys.ts";
import { unfinishedReasons } from "../../core/interpreter/program/outcome.ts";
import { oneOf } from "../../platform/http/schemas.ts";

const id = Type.String({ description: "Id of the block, unique among the blocks of the flow." });
const outgoingEdgeId = Type.Optional(
  Type.String({ description: "Id of the edge to the next block. Without it, the next block of the group follows." }),
);

/**
 * The documented schemas of blocks: one for each supported type, and one for the types that the service does not run.
 */
export const blockSchemas = Type.Union(
  [
    ...[...blocks.values()].map(({ type, schemaName = nameOf(type), summary, schema }) =>
      Type.Object(
        { id, type: Type.Literal(type, { description: "Type of the block." }), outgoingEdgeId, ...schema.properties },
        { $id: `${schemaName}Block`, description: summary },
      ),
    ),
    Type.Object(
      { id, type: oneOf([...unservedBlocks.keys()], { description: "Type of the block." }), outgoingEdgeId },
      {
        $id: "UnservedBlock",
        additionalProperties: true,
        description:
          "A block that this service does not run. It is stored unchanged, reported by the linter, and skipped in chats.",
      },
    ),
  ],
  {
    $id: "Block",
    description:
      "A block of a flow, discriminated by `type`. Null and unknown values of an enumeration are treated as absent. Unknown keys and blocks of types that are not listed here are kept.",
  },
);

const notice = Type.Object(
  {
    code: Type.String({ description: "Key of the message, such as `payment.unavailable`." }),
    amount: Type.Optional(Type.Number({ description: "The amount to pay, in the main unit of the currency." })),
    currency: Type.Optional(Type.String({ description: "Code of the currency." })),
  },
  {
    additionalProperties: true,
    description: "The code of one of the service's own messages, for clients that translate these messages.",
  },
);

const isAnswer = Type.Literal(true, {
  description:
    "Marks a bubble with the answer of a language model, which visitors can rate and copy. Absent for other bubbles, and if the bot has no `settings.answers`.",
});

const unfinished = oneOf(unfinishedReasons, {
  description:
    "Reason why a model's answer is incomplete: it reached its maximum length, the provider or the connection cut it off, the provider withheld the rest, or the visitor stopped it. Absent if the answer is complete.",
});

const clientCode = (description: string) =>
  Type.Object(
    {
      args: Type.Array(
        Type.Object({
          id: Type.String({ description: "Name of the argument." }),
          value: Type.Unknown({ description: "Value of the argument." }),
        }),
        { description: "The arguments of the function." },
      ),
      content: Type.String({ description: "The body of a function in JavaScript." }),
    },
    { description },
  );

const customEmbed = Type.Object(
  {
    id: Type.String({ description: "Id of the bubble. Each bubble has a new id." }),
    type: Type.Literal("custom-embed", { description: "Type of the bubble." }),
    content: Type.Object(
      {
        url: Type.String({ description: "URL of the page, for clients that run no code." }),
        initFunction: clientCode("Fills the argument `typebotElement`, an element of the client's page."),
        waitForEventFunction: clientCode("Calls the argument `continueFlow` with the visitor's reply."),
      },
      { description: "The content of the bubble." },
    ),
  },
  {
    $id: "CustomEmbedMessage",
    description: "Shows another service in an element that the code fills, and waits for the message of that service.",
  },
);

/** The documented schemas of bubbles in a chat: each type with the content that clients get. */
export const messageSchemas = [
  ...[...blocks.values()].flatMap(({ type, summary, bubble }) =>
    bubble
      ? [
          Type.Object(
            {
              id: Type.String({ description: "Id of the block that sends the bubble." }),
              type: Type.Literal(type, { description: "Type of the block." }),
              content: { description: "The content of the bubble.", ...bubble.shown },
              notice: Type.Optional(notice),
              ...(type === "text" && { isAnswer: Type.Optional(isAnswer), unfinished: Type.Optional(unfinished) }),
            },
            { $id: `${nameOf(type)}Message`, description: summary },
          ),
        ]
      : [],
  ),
  customEmbed,
];

/** The documented schemas of inputs in a chat: each type with the fields that clients get. */
export const inputSchemas = [...blocks.values()].flatMap(({ type, summary, input }) =>
  input
    ? [
        Type.Object(
          {
            id: Type.String({ description: "Id of the input block." }),
            type: Type.Literal(type, { description: "Type of the block." }),
            outgoingEdgeId,
            ...input.shown.properties,
            prefilledValue: Type.Optional(
              Type.String({
                description: "The current value of the input's variable; absent if the variable is empty.",
              }),
            ),
          },
          { $id: nameOf(type).replace(/(?<!Input)$/, "Input"), description: summary },
        ),
      ]
    : [],
);

/** Converts a type such as `text input` to a name: `TextInput`. */
function nameOf(type: string): string {
  const words = type.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
