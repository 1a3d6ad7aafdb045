import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { takesEvents } from "../../../platform/http/event-stream.ts";
import { nullable, oneOf, resource, Timestamp } from "../../../platform/http/schemas.ts";
import { currentRequest } from "../../../platform/observing/current-request.ts";
import { failureResponse } from "../../operations/failure.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { filterQuery, windowQuery } from "../result-queries.ts";
import { splitIds } from "../routes.ts";
import { planSummary, readSummary } from "./summary.ts";
import { summaryStream } from "./summary-stream.ts";

const operation = operationFor("Results");
const route = "GET /api/v1/bots/:botId/results/summary";
const counted = (description: string) => Type.Integer({ description });
const { columns, results, days, values } = limits.summaries;

const ColumnSchema = resource(
  "ColumnSummary",
  {
    id: Type.String({ description: "Id of the question's block, or of the variable." }),
    source: oneOf(["question", "variable"], { description: "Whether it is a question or a variable." }),
    title: Type.String({ description: "The name of its variable, or else the title of its group." }),
    groupTitle: nullable(Type.String({ description: "Title of the question's group; null for a variable." })),
    blockType: nullable(Type.String({ description: "Type of the question's block; null for a variable." })),
    kind: oneOf(["choices", "ratings", "numbers", "dates", "texts"], {
      description:
        "Which of the other fields it has. A variable has `numbers` if all its values are some, `choices` if some of them are equal and there are few, else `texts`.",
    }),
    answered: counted("Results with an answer or a value."),
    values: Type.Optional(
      Type.Array(
        Type.Object({
          value: nullable(Type.String({ description: "The value; null for all that are not named." })),
          results: counted("Results that have it."),
        }),
        {
          description: `The values of choices, most frequent first, and of ratings in their order; at most ${values.toLocaleString("en")}. A result may have several.`,
        },
      ),
    ),
    numbers: Type.Optional(
      Type.Object(
        {
          least: Type.Number({ description: "The smallest one." }),
          most: Type.Number({ description: "The largest one." }),
          mean: Type.Number({ description: "The average." }),
          median: Type.Number({ description: "The one in the middle; the average of two, where there are two." }),
        },
        { description: "Of numbers and ratings; absent without any." },
      ),
    ),
    nps: Type.Optional(
      Type.Object(
        {
          promoters: counted("Ratings of 9 and 10."),
          passives: counted("Ratings of 7 and 8."),
          detractors: counted("Ratings up to 6."),
          score: Type.Number({ description: "Percentage of promoters less that of detractors: from -100 to 100." }),
        },
        { description: "Net promoter score of ratings from 0 or 1 to 10." },
      ),
    ),
    days: Type.Optional(
      Type.Array(
        Type.Object({
          day: Type.String({ description: "The day, such as `2026-12-31`." }),
          results: counted("Results with this day."),
        }),
        { description: `The latest ${days} days of dates, in order; of a range its first day.` },
      ),
    ),
  },
  "The summary of one column.",
  {
    ...{ id: "score", source: "question", title: "Score", groupTitle: "Feedback", blockType: "rating input" },
    ...{ kind: "ratings", answered: 3 },
    values: [
      { value: "6", results: 1 },
      { value: "10", results: 2 },
    ],
    numbers: { least: 6, most: 10, mean: 26 / 3, median: 10 },
    nps: { promoters: 2, passives: 0, detractors: 1, score: 33.3 },
  },
);

const SummarySchema = resource(
  "ResultSummary",
  {
    results: counted("Results that are summed up."),
    leftOut: Type.Object(
      {
        silent: counted("Results without an answer; 0 with a filter by `hasStarted`."),
        older: counted(`Results that began before the newest ${results.toLocaleString("en")}.`),
        isLowerBound: Type.Boolean({ description: "True if there may be more of both." }),
      },
      { description: "Results that match, and are not summed up." },
    ),
    isExact: Type.Optional(
      Type.Boolean({
        description: "With a filter by a variable: whether its index has caught up with the bot's results.",
      }),
    ),
    asOf: Type.Optional(
      Type.Unsafe<Date | string>({
        ...Timestamp,
        description: "If it has not: the time up to which the index surely has all results of the bot.",
      }),
    ),
    columns: Type.Array(ColumnSchema, { description: "The columns, in the order in which they were named." }),
  },
  "Results of a bot, summed up by questions and variables.",
);

const example = {
  results: 3,
  leftOut: { silent: 1, older: 0, isLowerBound: false },
  columns: [ColumnSchema.example],
};

const ProgressSchema = Type.Object({
  read: counted("Results that were looked at."),
  of: counted("Results that will be looked at."),
});

export const summaryOperations: readonly Operation[] = [
  operation({
    id: "summarizeResults",
    route,
    description:
      `Counts the last answer of each result to up to ${columns} questions, and the values of variables: choices, numbers with their median, ratings with their net promoter score, dates by day. Covers the newest ${results.toLocaleString("en")} results that match, ` +
      "without those that have no answer unless you filter by `hasStarted`. Read from the results themselves, without a delay. With `Accept: text/event-stream` events say how far it is.",
    query: Type.Object({
      ...windowQuery,
      ...filterQuery,
      columns: Type.Optional(
        Type.String({
          maxLength: limits.lists.searchCharacters,
          description: `Ids of blocks and variables of the draft, separated by commas, at most ${columns}. Absent: the first columns of an export. Ids that the draft does not have are left out.`,
        }),
      ),
    }),
    answer: Type.Object({ summary: SummarySchema }),
    answerExample: { summary: example },
    answerEvents: { events: { progress: ProgressSchema }, last: "summary", mayContinue: false },
    async handle(deps, { caller, params, query, headers }) {
      const asked = query.columns === undefined ? undefined : splitIds(query.columns);
      const plan = await planSummary(deps, caller, params.botId, { ...query, columns: asked });
      if (!takesEvents(headers)) return { summary: await readSummary(deps, plan) };
      const requestId = currentRequest()?.requestId ?? "";
      return summaryStream(
        deps,
        (watch) => readSummary(deps, plan, watch),
        (error) => failureResponse(error, { requestId, method: "GET", route }, deps),
      );
    },
  }),
];
