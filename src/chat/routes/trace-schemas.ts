import { Type } from "@sinclair/typebox";
import { nullable } from "../../platform/http/schemas.ts";

const BlockId = Type.String({ description: "Id of the block." });
const LinkedBotId = Type.Optional(Type.String({ description: "The bot whose it is, where that is a linked one." }));

/** An action of a traced step; `kind` names it. */
export const TraceEntry = Type.Union(
  [
    Type.Object(
      { kind: Type.Literal("reply", { description: "A reply was given." }), blockId: BlockId },
      { $id: "TracedReply", description: "The reply was given to the block that waited." },
    ),
    Type.Object(
      {
        kind: Type.Literal("block", { description: "A block was walked." }),
        blockId: BlockId,
        edgeId: Type.Optional(Type.String({ description: "The edge that led there, where one did." })),
        botId: LinkedBotId,
      },
      { $id: "TracedBlock", description: "A block was walked." },
    ),
    Type.Object(
      {
        kind: Type.Literal("variable", { description: "A variable changed." }),
        variableId: Type.String({ description: "Id of the variable." }),
        name: Type.String({ description: "Its name." }),
        value: Type.Union([Type.String(), Type.Array(nullable(Type.String())), Type.Null()], {
          description: "What it holds now: a text, a list, or nothing.",
        }),
        isCut: Type.Optional(Type.Literal(true, { description: "The value is longer than this." })),
        botId: LinkedBotId,
      },
      { $id: "TracedVariable", description: "A variable got another value." },
    ),
    Type.Object(
      {
        kind: Type.Literal("effect", { description: "Something was asked for." }),
        blockId: BlockId,
        effect: Type.String({
          description:
            "What was asked for: `http`, `fetch` (of a script), `model`, `speech`, `transcription`, `payment`, `linkedFlow` or `transcript`.",
        }),
        address: Type.Optional(Type.String({ description: "Where the request went, with the names of secrets." })),
        method: Type.Optional(Type.String({ description: "Its HTTP method." })),
        model: Type.Optional(Type.String({ description: "The model that was asked." })),
        status: Type.Optional(Type.Integer({ description: "The status of the answer." })),
        milliseconds: Type.Integer({ description: "How long it took, with all its tries." }),
        failure: Type.Optional(Type.String({ description: "Why nothing came of it." })),
      },
      { $id: "TracedEffect", description: "Something was asked of the world." },
    ),
    Type.Object(
      {
        kind: Type.Literal("log", { description: "Something was logged." }),
        status: Type.String({ description: "`success`, `info`, `warning` or `error`." }),
        description: Type.String({ description: "What happened, in a sentence." }),
        details: Type.Optional(Type.String({ description: "What there is to know besides." })),
        context: Type.Optional(Type.String({ description: "Where it happened, such as `Condition`." })),
        textInsteadAt: Type.Optional(
          Type.String({
            description:
              "The block whose expression or inline code failed and is a text instead, where this tells of it.",
          }),
        ),
      },
      { $id: "TracedLog", description: "Something was logged." },
    ),
  ],
  { $id: "TraceEntry", description: "Something that a step did; `kind` tells what." },
);
