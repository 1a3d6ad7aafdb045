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
    source: oneOf(["question", "variable"], { description: "Whether the column is a question or a variable." }),
    title: Type.String({
      description: "The name of the question's variable, or the title of its group if it has no variable.",
    }),
    groupTitle: nullable(Type.String({ description: "Title of the question's group; null for a variable." })),
    blockType: nullable(Type.String({ description: "Type of the question's block; null for a variable." })),
    kind: oneOf(["choices", "ratings", "numbers", "dates", "texts"], {
      description:
        "Kind of values, which decides which other fields are present. A variable has `numbers` if all its values are numbers, `choices` if it has few distinct values and some repeat, and otherwise `texts`.",
    }),
    answered: counted("Number of results with an answer or a value."),
    values: Type.Optional(
      Type.Array(
        Type.Object({
          value: nullable(Type.String({ description: "The value; null for all values that are not listed." })),
          results: counted("Number of results with this value."),
        }),
        {
          description: `The values of choices, most frequent first, and of ratings in their order; at most ${values.toLocaleString("en")}. A result can have several values.`,
        },
      ),
    ),
    numbers: Type.Optional(
      Type.Object(
        {
          least: Type.Number({ description: "The smallest number." }),
          most: Type.Number({ description: "The largest number." }),
          mean: Type.Number({ description: "The average of the numbers." }),
          median: Type.Number({
            description: "The median of the numbers. For an even count, this is the average of the two middle numbers.",
          }),
        },
        { description: "Statistics of numbers and ratings; absent if there are no values." },
      ),
    ),
    nps: Type.Optional(
      Type.Object(
        {
          promoters: counted("Number of ratings of 9 and 10."),
          passives: counted("Number of ratings of 7 and 8."),
          detractors: counted("Number of ratings up to 6."),
          score: Type.Number({
            description: "Percentage of promoters minus the percentage of detractors: from -100 to 100.",
          }),
        },
        { description: "Net promoter score of ratings on a scale from 0 or 1 to 10." },
      ),
    ),
    days: Type.Optional(
      Type.Array(
        Type.Object({
          day: Type.String({ description: "The day, such as `2026-12-31`." }),
          results: counted("Number of results with this day."),
        }),
        { description: `The latest ${days} days with dates, earliest first. A date range counts on its first day.` },
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
    results: counted("Number of summarized results."),
    leftOut: Type.Object(
      {
        silent: counted("Number of results without an answer; 0 with `hasStarted=false`."),
        older: counted(`Number of results that started before the newest ${results.toLocaleString("en")} results.`),
        isLowerBound: Type.Boolean({ description: "True if both numbers are lower bounds." }),
      },
      { description: "Matching results that are not summarized." },
    ),
    isExact: Type.Optional(
      Type.Boolean({
        description: "With a filter by a variable: whether its index contains all of the bot's results.",
      }),
    ),
    asOf: Type.Optional(
      Type.Unsafe<Date | string>({
        ...Timestamp,
        description: "If the index is still behind: the time up to which it contains all results of the bot.",
      }),
    ),
    columns: Type.Array(ColumnSchema, { description: "The columns, in the order of the request." }),
  },
  "A summary of a bot's results by questions and variables.",
);

const example = {
  results: 3,
  leftOut: { silent: 1, older: 0, isLowerBound: false },
  columns: [ColumnSchema.example],
};

const ProgressSchema = Type.Object({
  read: counted("Number of results read so far."),
  of: counted("Number of results to read."),
});

export const summaryOperations: readonly Operation[] = [
  operation({
    id: "summarizeResults",
    route,
    description:
      `Counts the last answer of each result to up to ${columns} questions, and the values of variables: choices, numbers with their median, ratings with their net promoter score, and dates by day. Covers the newest ${results.toLocaleString("en")} matching results; ` +
      "results without an answer are left out, unless `hasStarted` is false. The results are read directly, without a delay. With `Accept: text/event-stream`, events report the progress.",
    query: Type.Object({
      ...windowQuery,
      ...filterQuery,
      columns: Type.Optional(
        Type.String({
          maxLength: limits.lists.searchCharacters,
          description: `Ids of blocks and variables of the draft, separated by commas, at most ${columns}. Defaults to the first columns of an export. Ids that the draft does not contain are ignored.`,
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
