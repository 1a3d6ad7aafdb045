import { Type } from "@sinclair/typebox";
import { unfinishedReasons } from "../../core/interpreter/program/outcome.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { jsonAnswer } from "../../platform/http/json-answer.ts";
import { exampleId, exampleTime, Id, nullable, oneOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { spokenFields, stepExample } from "../routes/chat-schemas.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { readRichChats } from "./rich-transcripts.ts";
import { getTranscript, transcriptText } from "./transcripts.ts";

const operation = operationFor<ChatDependencies>("Results");

const UtteranceSchema = resource(
  "Utterance",
  {
    createdAt: Timestamp,
    role: oneOf(["bot", "user"], { description: "The sender: the bot or the visitor." }),
    type: oneOf(["text", "image", "video", "audio"], { description: "The type of content." }),
    text: Type.Optional(Type.String({ description: "The text as Markdown, if `type` is `text`." })),
    image: Type.Optional(Type.String({ description: "URL of the picture." })),
    video: Type.Optional(Type.String({ description: "URL of the video." })),
    unfinished: Type.Optional(
      oneOf(unfinishedReasons, {
        description: "Reason why a model's answer is incomplete; absent if the answer is complete.",
      }),
    ),
    audio: Type.Optional(Type.String({ description: "URL of the sound." })),
  },
  "One message of a transcript.",
);

const removedFileUrls = Type.Optional(
  Type.Array(Type.String(), {
    description: "The visitor's files in the reply that are no longer stored; absent if there are none.",
  }),
);

const RichChatSchema = resource(
  "RichChat",
  {
    sessionId: Id,
    isComplete: Type.Boolean({ description: "False if steps are missing, or if only the answers are still stored." }),
    bot: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "Name, theme and settings of the bot at the start of the chat, if they are still stored.",
        },
      ),
    ),
    steps: Type.Array(
      Type.Object({
        ...spokenFields,
        skippedBlocks: Type.Optional(
          Type.Array(
            Type.Object({
              blockId: Type.String({ description: "Id of the block." }),
              type: Type.String({ description: "Type of the block, which this service does not support." }),
            }),
            { description: "Blocks that the chat skipped in this step; absent if there are none." },
          ),
        ),
        removedFileUrls,
      }),
      {
        description:
          "The steps in order, in the format of a session's history; empty if only the answers are still stored.",
      },
    ),
    answers: Type.Array(
      Type.Object({
        createdAt: Timestamp,
        text: Type.String({ description: "Text of the answer." }),
        attachedFileUrls: Type.Array(Type.String(), {
          description: "URLs of the files that were sent with the answer.",
        }),
        files: spokenFields.files,
        removedFileUrls,
      }),
      { description: "The answers of a chat whose steps are no longer stored." },
    ),
  },
  "A chat of a result, as the chat page showed it.",
  {
    sessionId: exampleId,
    isComplete: true,
    bot: null,
    steps: [
      { revision: 1, createdAt: exampleTime, reply: null, messages: stepExample.messages, clientSideActions: [] },
    ],
    answers: [],
  },
);

export const transcriptOperations: readonly Operation[] = [
  operation({
    id: "getTranscript",
    route: "GET /api/v1/bots/:botId/results/:resultId/transcript",
    isCompatible: true,
    query: Type.Object({
      format: Type.Optional({
        ...oneOf(["json", "text", "rich"], {
          description:
            "`text` returns the messages as text. `rich` also returns `chats`, with the content that the chat page showed.",
        }),
        default: "json",
      }),
    }),
    answer: Type.Object({
      transcript: Type.Array(UtteranceSchema, { description: "The messages, oldest first." }),
      isComplete: Type.Boolean({
        description:
          "False if messages are missing: only a chat's answers are still stored, or only the last steps of a very long chat were read.",
      }),
      chats: Type.Optional(
        Type.Array(RichChatSchema, { description: "The chats, oldest first. Present only with `format=rich`." }),
      ),
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
      const { isComplete } = found;
      if (query.format !== "rich") return { transcript, isComplete };
      const shown = await readRichChats(deps, params.resultId);
      // Steps keep their stored form in transcripts. Only the key `bot` is renamed to `typebot` for existing clients.
      const chats = dialect === "bot" ? shown : shown.map(({ bot, ...chat }) => ({ ...chat, typebot: bot }));
      return jsonAnswer(JSON.stringify({ transcript, isComplete, chats }));
    },
  }),
];
