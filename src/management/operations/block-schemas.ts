import { Type } from "@sinclair/typebox";
import { blocks } from "../../core/blocks/index.ts";
import { unservedBlocks } from "../../core/flow/known-keys.ts";
import { unfinishedReasons } from "../../core/interpreter/program/outcome.ts";
import { oneOf } from "../../platform/http/schemas.ts";

const id = Type.String({ description: "Its id, unique among the blocks of the flow." });
const outgoingEdgeId = Type.Optional(
  Type.String({ description: "Id of the edge to the next block; absent: the next block of the group follows." }),
);

/** The documented schemas of blocks: each supported type with its own fields, listed under its name. */
export const blockSchemas = Type.Union(
  [
    ...[...blocks.values()].map(({ type, schemaName = nameOf(type), summary, schema }) =>
      Type.Object(
        { id, type: Type.Literal(type, { description: "Its type." }), outgoingEdgeId, ...schema.properties },
        { $id: `${schemaName}Block`, description: summary },
      ),
    ),
    Type.Object(
      { id, type: oneOf([...unservedBlocks.keys()], { description: "Its type." }), outgoingEdgeId },
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
      "A block of a flow, discriminated by `type`. Null and unknown values of an enumeration count as absent. Unknown keys are kept, and so are blocks of types that are not listed here.",
  },
);

const notice = Type.Object(
  {
    code: Type.String({ description: "Key of the message, such as `payment.unavailable`." }),
    amount: Type.Optional(Type.Number({ description: "The amount to pay, in whole units of the currency." })),
    currency: Type.Optional(Type.String({ description: "Code of the currency." })),
  },
  {
    additionalProperties: true,
    description: "The meaning of one of the service's own messages, for clients with their own translation.",
  },
);

const isAnswer = Type.Literal(true, {
  description:
    "It shows the answer of a language model, which visitors can rate and copy. Absent: it does not, or the bot has no `settings.answers`.",
});

const unfinished = oneOf(unfinishedReasons, {
  description:
    "Why a model's answer ends before its end: it reached the most that it may have, its provider or the connection cut it, its provider withheld the rest, or the visitor stopped it. Absent: it is whole.",
});

const clientCode = (description: string) =>
  Type.Object(
    {
      args: Type.Array(
        Type.Object({
          id: Type.String({ description: "Name of the argument." }),
          value: Type.Unknown({ description: "Its value." }),
        }),
        { description: "The arguments of the code." },
      ),
      content: Type.String({ description: "The body of a function in JavaScript." }),
    },
    { description },
  );

const customEmbed = Type.Object(
  {
    id: Type.String({ description: "Id of the bubble, a new one for each." }),
    type: Type.Literal("custom-embed", { description: "Its type." }),
    content: Type.Object(
      {
        url: Type.String({ description: "Address of the page, for clients that run no code." }),
        initFunction: clientCode("Fills the argument `typebotElement`, an element of the client's page."),
        waitForEventFunction: clientCode("Calls the argument `continueFlow` with the visitor's reply."),
      },
      { description: "The content." },
    ),
  },
  {
    $id: "CustomEmbedMessage",
    description: "Shows another service in an element that code fills, and waits for what it says.",
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
              type: Type.Literal(type, { description: "Its type." }),
              content: { description: "The content.", ...bubble.shown },
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
            id: Type.String({ description: "Id of the block that asks." }),
            type: Type.Literal(type, { description: "Its type." }),
            outgoingEdgeId,
            ...input.shown.properties,
            prefilledValue: Type.Optional(
              Type.String({ description: "The current value of the answer's variable; absent if it has none." }),
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
