import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { replySchemas, startPlaceSchemas } from "../interpreter/program/message.ts";
import { ReportSchema } from "./reports.ts";

const text = (description: string) => Type.String({ description });
const list = (description: string) => Type.Array(Type.Unknown(), { description });
const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

/** A message as callers may send it. */
const Say = Type.Union([Type.Null(), Type.String(), ...replySchemas], {
  description: "What the visitor says, as `continueChat` takes it; null for a reply without words.",
});

const Expectation = Type.Object(
  {
    shows: Type.Optional(list("The bubbles: texts as plain text, media by their address.")),
    asks: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: "The type of the open input, or null." }),
    ),
    choices: Type.Optional(list("What can be chosen.")),
    input: Type.Optional(Type.Unknown({ description: "The open input, in full." })),
    actions: Type.Optional(list("What the visitor's page is asked to do.")),
    logs: Type.Optional(list("What is written to the result's log.")),
    progress: Type.Optional(Type.Number({ description: "In percent, with two decimals." })),
    ends: Type.Optional(Type.Boolean({ description: "Whether the chat has ended." })),
    answers: Type.Optional(list("The answers that are kept.")),
    variables: Type.Optional(record("The variables of the result, by name.")),
    isCompleted: Type.Optional(Type.Boolean({ description: "Whether the result is complete." })),
    lastMessageNewFormat: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: "The reply as it is stored, where that differs." }),
    ),
    visitedEdges: Type.Optional(Type.Array(Type.String(), { description: "Edges off the default path." })),
    response: Type.Optional(Type.Unknown({ description: "The whole response." })),
    results: Type.Optional(list("Every result that the step changes.")),
    mails: Type.Optional(list("The subjects of the mails that are sent.")),
    effects: Type.Optional(list("The effects that the step asks for.")),
    messages: Type.Optional(list("The bubbles, in full.")),
    files: Type.Optional(list("The files of each answer.")),
    answerList: Type.Optional(list("The chat's answers with their keys.")),
    refused: Type.Optional(Type.Unknown({ description: "Why the step was not taken; null where it was." })),
  },
  { description: "What is expected. What is not named may be anything.", additionalProperties: false },
);

const Now = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$",
  description: "The step's clock.",
});
const Seed = Type.String({ pattern: "^[0-9a-f]{32}$", description: "The step's random seed: 32 hexadecimal digits." });

const TurnSchema = Type.Object(
  {
    say: Type.Optional(Say),
    now: Type.Optional(Now),
    seed: Type.Optional(Seed),
    reports: Type.Optional(
      Type.Array(ReportSchema, { description: "The reports of this turn's effects, in their order." }),
    ),
    effects: Type.Optional(
      Type.Array(
        Type.Object({
          expects: record("A part of the effect that identifies it."),
          report: ReportSchema,
        }),
        { description: "The same, with what is expected of each effect." },
      ),
    ),
    expect: Expectation,
  },
  { additionalProperties: false },
);

/** A conversation of a bot with a visitor, and the responses that are expected of the bot. */
export const TestConversationSchema = Type.Object(
  {
    title: text("What it shows, in a sentence."),
    rules: Type.Optional(Type.Array(Type.String(), { description: "The rules that it tests, for its readers." })),
    flow: Type.Optional(Type.Unknown({ description: "The flow, where the test stands alone in a file." })),
    now: Type.Optional({ ...Now, description: "The clock of all turns; 2026-11-20T12:00:00.000Z unless said." }),
    seed: Type.Optional({
      ...Seed,
      description: "The random seed of all turns; each turn replaces its last two digits.",
    }),
    start: Type.Optional(
      Type.Object(
        {
          message: Type.Optional(Say),
          isOnlyRegistering: Type.Optional(
            Type.Boolean({ description: "Whether the start runs nothing: the first reply starts the flow." }),
          ),
          startFrom: Type.Optional(
            Type.Union([...startPlaceSchemas], { description: "Where a preview starts; absent: where the flow does." }),
          ),
          prefilledVariables: Type.Optional(record("Variables that the start gives, by name.")),
          restored: Type.Optional(
            Type.Object(
              {
                variables: Type.Array(
                  Type.Object({
                    name: text("Name of the variable."),
                    value: Type.Unknown({ description: "What it holds." }),
                  }),
                  { description: "Variables of the result that the chat continues." },
                ),
                answers: Type.Array(
                  Type.Object({
                    blockId: text("Id of the input that was answered."),
                    content: text("The answer."),
                    attachedFileUrls: Type.Union([Type.Array(Type.String()), Type.Null()], {
                      description: "Addresses of files that were sent along.",
                    }),
                  }),
                  { description: "Answers of the result that the chat continues." },
                ),
              },
              { description: "The result that a returning visitor continues." },
            ),
          ),
        },
        { description: "How the chat is started; absent: as visitors' pages do." },
      ),
    ),
    linkedFlows: Type.Optional(record("Flows of other bots, by the bot's id. A link to any other leads nowhere.")),
    mocks: Type.Optional(
      Type.Array(Type.Object({ blockId: Type.String(), report: ReportSchema }), {
        description: "The reports of a block's effects, where a turn has none.",
        maxItems: limits.testConversations.mocks,
      }),
    ),
    isPreview: Type.Optional(Type.Boolean({ description: "Whether it is a preview, which keeps no result." })),
    contentFormat: Type.Optional(
      Type.Union([Type.Literal("richText"), Type.Literal("markdown")], {
        description: "How text bubbles are asked for.",
      }),
    ),
    turns: Type.Array(TurnSchema, {
      minItems: 1,
      maxItems: limits.testConversations.turns,
      description: "What is said and expected, in this order; the first is the start.",
    }),
  },
  { $id: "TestConversation", description: "A conversation of a bot with a visitor, and what is expected of the bot." },
);

export type TestConversation = Static<typeof TestConversationSchema>;
export type Turn = Static<typeof TurnSchema>;
