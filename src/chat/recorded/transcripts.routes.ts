import { Type } from "@sinclair/typebox";
import { unfinishedReasons } from "../../core/interpreter/program/outcome.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { exampleTime, oneOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { getTranscript, transcriptText } from "./transcripts.ts";

const operation = operationFor<ChatDependencies>("Results");

const UtteranceSchema = resource(
  "Utterance",
  {
    createdAt: Timestamp,
    role: oneOf(["bot", "user"], { description: "The speaker." }),
    type: oneOf(["text", "image", "video", "audio"], { description: "The type of content." }),
    text: Type.Optional(Type.String({ description: "Where `type` is `text`; Markdown." })),
    image: Type.Optional(Type.String({ description: "The picture's address." })),
    video: Type.Optional(Type.String({ description: "The film's address." })),
    unfinished: Type.Optional(
      oneOf(unfinishedReasons, { description: "Why a model's answer ends before its end; absent: it is whole." }),
    ),
    audio: Type.Optional(Type.String({ description: "The sound's address." })),
  },
  "One message.",
);

export const transcriptOperations: readonly Operation[] = [
  operation({
    id: "getTranscript",
    route: "GET /api/v1/bots/:botId/results/:resultId/transcript",
    summary: "Get a result's transcript",
    description:
      "Returns the original messages, in order, including refused replies, without answers that a visitor took back. The bot's messages are stored " +
      "while the chat can continue; afterwards the transcript has only the answers, and `isComplete` is false.",
    isCompatible: true,
    query: Type.Object({
      format: Type.Optional({
        ...oneOf(["json", "text"], { description: "`text`: lines for people." }),
        default: "json",
      }),
    }),
    answer: Type.Object({
      transcript: Type.Array(UtteranceSchema, { description: "The messages, in order." }),
      isComplete: Type.Boolean({ description: "False if only the answers are left." }),
    }),
    answerExample: {
      transcript: [
        { createdAt: exampleTime, role: "bot", type: "text", text: "Your name?" },
        { createdAt: exampleTime, role: "user", type: "text", text: "Ada" },
      ],
      isComplete: true,
    },
    async handle(deps, { caller, params, query, dialect }) {
      const found = await getTranscript(deps, caller, params);
      if (query.format === "text") {
        return new Response(transcriptText(found), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
      }
      const transcript = found.transcript.map(({ createdAt, role, type, text, unfinished }) => {
        const kind = type === "image" || type === "video" || type === "audio" ? type : "text";
        const why = dialect === "bot" ? unfinishedReasons.find((reason) => reason === unfinished) : undefined;
        return { createdAt, role, type: kind, [kind]: text, ...(why && { unfinished: why }) } as const;
      });
      return { transcript, isComplete: found.isComplete };
    },
  }),
];
