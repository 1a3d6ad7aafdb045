import { Type } from "@sinclair/typebox";
import { blocks } from "../../core/blocks/index.ts";
import { unservedBlocks } from "../../core/flow/known-keys.ts";
import { oneOf } from "../../platform/http/schemas.ts";

const id = Type.String({ description: "Its id, unique among the blocks of the flow." });
const outgoingEdgeId = Type.Optional(
  Type.String({ description: "Id of the edge that leads on from it; absent: the next block of the group follows." }),
);

/** The documentation's schemas of blocks: each supported type with its own parts, by its name. */
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
          "A block that this service does not run: it is kept as it is, reported by the linter, and passed over in chats.",
      },
    ),
  ],
  {
    $id: "Block",
    description:
      "A block of a flow; `type` tells which one. Null counts as absent, unknown words of a field too. Unknown keys are kept, and so are blocks of types that are not listed here.",
  },
);

const notice = Type.Object(
  {
    code: Type.String({ description: "Which sentence it is, such as `payment.unavailable`." }),
    amount: Type.Optional(Type.Number({ description: "What is to be paid, in whole units of the currency." })),
    currency: Type.Optional(Type.String({ description: "Code of that currency." })),
  },
  {
    additionalProperties: true,
    description: "What a sentence of the service itself says, for clients that have words of their own for it.",
  },
);

/** The bubbles that a chat shows: each type with the content that clients get. */
export const messageSchemas = [...blocks.values()].flatMap(({ type, summary, bubble }) =>
  bubble
    ? [
        Type.Object(
          {
            id: Type.String({ description: "Id of the block that says it." }),
            type: Type.Literal(type, { description: "Its type." }),
            content: { description: "What is shown.", ...bubble.shown },
            notice: Type.Optional(notice),
          },
          { $id: `${nameOf(type)}Message`, description: summary },
        ),
      ]
    : [],
);

/** The inputs that a chat asks: each type with the parts that clients get. */
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
              Type.String({ description: "What the answer's variable holds already; absent where that is nothing." }),
            ),
          },
          { $id: nameOf(type).replace(/(?<!Input)$/, "Input"), description: summary },
        ),
      ]
    : [],
);

/** `text input` as `TextInput`. */
function nameOf(type: string): string {
  const words = type.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
