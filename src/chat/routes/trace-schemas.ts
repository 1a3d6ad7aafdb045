import { Type } from "@sinclair/typebox";
import { nullable } from "../../platform/http/schemas.ts";

const BlockId = Type.String({ description: "Id of the block." });
const LinkedBotId = Type.Optional(
  Type.String({ description: "Id of the linked bot that contains the block; absent for blocks of the bot itself." }),
);

/** An entry in the trace of a step. The other fields depend on `kind`. */
export const TraceEntry = Type.Union(
  [
    Type.Object(
      { kind: Type.Literal("reply", { description: "A reply was given." }), blockId: BlockId },
      { $id: "TracedReply", description: "The reply was given to the block that waited." },
    ),
    Type.Object(
      {
        kind: Type.Literal("block", { description: "A block ran." }),
        blockId: BlockId,
        edgeId: Type.Optional(Type.String({ description: "The edge that led to the block, if there is one." })),
        botId: LinkedBotId,
      },
      { $id: "TracedBlock", description: "A block ran." },
    ),
    Type.Object(
      {
        kind: Type.Literal("variable", { description: "A variable changed." }),
        variableId: Type.String({ description: "Id of the variable." }),
        name: Type.String({ description: "Name of the variable." }),
        value: Type.Union([Type.String(), Type.Array(nullable(Type.String())), Type.Null()], {
          description: "The new value: a text, a list, or null.",
        }),
        isCut: Type.Optional(Type.Literal(true, { description: "True if the value is truncated." })),
        botId: LinkedBotId,
      },
      { $id: "TracedVariable", description: "A variable changed." },
    ),
    Type.Object(
      {
        kind: Type.Literal("effect", { description: "An effect was requested." }),
        blockId: BlockId,
        effect: Type.String({
          description:
            "The kind of effect, such as `http`, `fetch` (of a script), `call` (of a service), `model`, `sheet`, `payment` or `linkedFlow`.",
        }),
        address: Type.Optional(
          Type.String({
            description:
              "URL of the request, with names in place of secrets. For a call of a service, its type and the path; for a sheet, the id of the spreadsheet.",
          }),
        ),
        method: Type.Optional(Type.String({ description: "HTTP method of the request, or the action on a sheet." })),
        model: Type.Optional(Type.String({ description: "Name of the model." })),
        status: Type.Optional(Type.Integer({ description: "HTTP status of the response." })),
        milliseconds: Type.Integer({ description: "Duration including retries." }),
        failure: Type.Optional(Type.String({ description: "Reason for the failure." })),
      },
      { $id: "TracedEffect", description: "An effect was requested." },
    ),
    Type.Object(
      {
        kind: Type.Literal("log", { description: "A log entry was written." }),
        status: Type.String({ description: "`success`, `info`, `warning` or `error`." }),
        description: Type.String({ description: "Description in one sentence." }),
        details: Type.Optional(Type.String({ description: "Further details." })),
        context: Type.Optional(Type.String({ description: "The type of block, such as `Condition`." })),
        textInsteadAt: Type.Optional(
          Type.String({
            description: "For a failed expression or inline code that was kept as text: the id of its block.",
          }),
        ),
      },
      { $id: "TracedLog", description: "A log entry was written." },
    ),
  ],
  { $id: "TraceEntry", description: "One action of a step, discriminated by `kind`." },
);
