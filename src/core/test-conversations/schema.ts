import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { paymentStatuses } from "../interpreter/program/effect.ts";
import { replySchemas, startPlaceSchemas } from "../interpreter/program/message.ts";
import { durationPattern } from "./durations.ts";
import { ReportSchema } from "./reports.ts";

const text = (description: string) => Type.String({ description });
const list = (description: string) => Type.Array(Type.Unknown(), { description });
const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

/** A message in any form that callers may send. */
const Say = Type.Union([Type.Null(), Type.String(), ...replySchemas], {
  description: "The visitor's message, as for `continueChat`; null for a reply without text.",
});

const Expectation = Type.Object(
  {
    shows: Type.Optional(list("The bubbles: texts as plain text, media by their URL.")),
    asks: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: "The type of the open input, or null." }),
    ),
    choices: Type.Optional(list("The choices of the open input.")),
    input: Type.Optional(Type.Unknown({ description: "The complete open input." })),
    actions: Type.Optional(list("Actions for the visitor's page.")),
    logs: Type.Optional(list("New entries in the result's log.")),
    progress: Type.Optional(Type.Number({ description: "Progress in percent, with two decimals." })),
    ends: Type.Optional(Type.Boolean({ description: "Whether the chat has ended." })),
    answers: Type.Optional(list("The stored answers.")),
    variables: Type.Optional(record("The variables of the result, by name.")),
    isCompleted: Type.Optional(Type.Boolean({ description: "Whether the result is complete." })),
    lastMessageNewFormat: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: "The stored form of the reply, if it differs from the sent reply.",
      }),
    ),
    visitedEdges: Type.Optional(Type.Array(Type.String(), { description: "Edges off the default path." })),
    response: Type.Optional(Type.Unknown({ description: "The whole response." })),
    results: Type.Optional(list("Every result that the step changes.")),
    mails: Type.Optional(list("Subjects of the sent mails.")),
    effects: Type.Optional(list("Effects that the step requests.")),
    messages: Type.Optional(list("The complete bubbles.")),
    files: Type.Optional(list("The files of each answer.")),
    answerList: Type.Optional(list("The chat's answers with their keys.")),
    refused: Type.Optional(Type.Unknown({ description: "The error of the step; null if it was accepted." })),
  },
  { description: "The expectations. Fields that are not listed can have any value.", additionalProperties: false },
);

const Now = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$",
  description: "The step's clock.",
});
const Seed = Type.String({ pattern: "^[0-9a-f]{32}$", description: "The step's random seed: 32 hexadecimal digits." });

const TurnSchema = Type.Object(
  {
    say: Type.Optional(Say),
    passes: Type.Optional(
      Type.String({
        pattern: durationPattern,
        description: "Instead of `say`: the time that passes, such as `10m` (s, m, h, d). Due events then happen.",
      }),
    ),
    calls: Type.Optional(
      Type.Unknown({
        description: "Instead of `say`: the body with which another program calls the chat, which waits for the call.",
      }),
    ),
    pays: Type.Optional(
      Type.Union(
        paymentStatuses.map((status) => Type.Literal(status)),
        { description: "Instead of `say`: the visitor pays, and this is the provider's report on the payment." },
      ),
    ),
    isUnaware: Type.Optional(
      Type.Boolean({
        description:
          "Whether the visitor's page had not shown messages that arrived without a reply, and does not report this. `say` then counts only if it answers the input that is still open.",
      }),
    ),
    now: Type.Optional(Now),
    seed: Type.Optional(Seed),
    reports: Type.Optional(
      Type.Array(ReportSchema, {
        description: "The results of this turn's effects, in the order in which the effects run.",
      }),
    ),
    effects: Type.Optional(
      Type.Array(
        Type.Object({
          expects: record("A part of the effect that identifies it."),
          report: ReportSchema,
        }),
        { description: "Results of effects that are identified by their content." },
      ),
    ),
    expect: Expectation,
  },
  { additionalProperties: false },
);

/** A conversation between a visitor and a bot, with the expected responses of the bot. */
export const TestConversationSchema = Type.Object(
  {
    title: text("Title of the test conversation, in one sentence."),
    rules: Type.Optional(Type.Array(Type.String(), { description: "The tested rules, as documentation for people." })),
    flow: Type.Optional(Type.Unknown({ description: "The flow, if the test is in a separate file." })),
    now: Type.Optional({ ...Now, description: "The clock of all turns. Defaults to 2026-11-20T12:00:00.000Z." }),
    seed: Type.Optional({
      ...Seed,
      description: "The random seed of all turns; each turn replaces its last two digits.",
    }),
    start: Type.Optional(
      Type.Object(
        {
          message: Type.Optional(Say),
          isOnlyRegistering: Type.Optional(
            Type.Boolean({ description: "Whether the start runs no block. The first reply then starts the flow." }),
          ),
          startFrom: Type.Optional(
            Type.Union([...startPlaceSchemas], {
              description: "The object at which a preview starts. Defaults to the flow's start.",
            }),
          ),
          prefilledVariables: Type.Optional(record("Prefilled variables, by name.")),
          restored: Type.Optional(
            Type.Object(
              {
                variables: Type.Array(
                  Type.Object({
                    name: text("Name of the variable."),
                    value: Type.Unknown({ description: "Value of the variable." }),
                  }),
                  { description: "Variables of the result that the chat continues." },
                ),
                answers: Type.Array(
                  Type.Object({
                    blockId: text("Id of the input that was answered."),
                    content: text("The answer."),
                    attachedFileUrls: Type.Union([Type.Array(Type.String()), Type.Null()], {
                      description: "URLs of attached files.",
                    }),
                  }),
                  { description: "Answers of the result that the chat continues." },
                ),
              },
              { description: "The result that a returning visitor continues." },
            ),
          ),
        },
        { description: "The start of the chat. Defaults to a start as on visitors' pages." },
      ),
    ),
    linkedFlows: Type.Optional(
      record("Flows of other bots, by the bot's id. Links to bots that are not in this list have no effect."),
    ),
    mocks: Type.Optional(
      Type.Array(Type.Object({ blockId: Type.String(), report: ReportSchema }), {
        description: "Results of a block's effects, for turns without their own.",
        maxItems: limits.testConversations.mocks,
      }),
    ),
    isPreview: Type.Optional(Type.Boolean({ description: "Whether the chat is a preview, which has no result." })),
    contentFormat: Type.Optional(
      Type.Union([Type.Literal("richText"), Type.Literal("markdown")], {
        description: "Format of text bubbles.",
      }),
    ),
    turns: Type.Array(TurnSchema, {
      minItems: 1,
      maxItems: limits.testConversations.turns,
      description: "The turns, in the order in which they run. The first turn is the start.",
    }),
  },
  { $id: "TestConversation", description: "A conversation between a visitor and a bot, with the expected responses." },
);

export type TestConversation = Static<typeof TestConversationSchema>;
export type Turn = Static<typeof TurnSchema>;
