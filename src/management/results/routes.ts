import { Type } from "@sinclair/typebox";
import { resultsQueryFor } from "../../compatibility/requests.ts";
import { paymentStatuses } from "../../core/interpreter/program/effect.ts";
import { answerSchemas, exampleFields, writtenExamples, writtenSchemas } from "../../core/results/result-fields.ts";
import { limits } from "../../limits/index.ts";
import {
  exampleId,
  exampleTime,
  Id,
  NextCursor,
  nullable,
  oneOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { deleteResult, deleteResults } from "./erasure.ts";
import { resultOrders } from "./result-filters.ts";
import { filterQuery, windowQuery } from "./result-queries.ts";
import { getResult, listResultLogs, listResults, noteResult } from "./results.ts";

const AnswerSchema = resource(
  "Answer",
  {
    createdAt: Timestamp,
    resultId: Id,
    blockId: Type.String(),
    groupId: Type.String(),
    variableId: nullable(Type.String()),
    content: Type.String({ description: "The answer as a text." }),
    storageUsed: Type.Number({ description: "Always 0, because storage is not counted by answer." }),
    attachedFileUrls: Type.Array(Type.String(), { description: "URLs of attached files." }),
    storedFileUrls: Type.Array(Type.String(), {
      description: "URLs in `content` and `attachedFileUrls` whose files this service stores.",
    }),
  },
  "A visitor's answer to one input.",
);

const { isCompleted, hasStarted, isArchived, ...otherFields } = answerSchemas();

const isLinked = Type.Optional(
  Type.Literal(true, {
    description:
      "True if the answer belongs to the result of a bot that links to this bot, and is also shown here. Events, statistics and filters count it only there. Absent for other answers.",
  }),
);

const PaymentSchema = resource(
  "Payment",
  {
    id: Id,
    blockId: Type.String({ description: "Id of the input that the visitor answered." }),
    intentId: nullable(Type.String({ description: "Id of the payment intent at Stripe." })),
    amount: Type.Number({ description: "Amount in the main unit of the currency." }),
    currency: Type.String({ description: "Code of the currency." }),
    status: oneOf([...paymentStatuses], {
      description: "State of the payment at Stripe in the last report to Parley.",
    }),
    mode: oneOf(["live", "test"], { description: "Mode of the Stripe keys with which the payment was created." }),
    isLinked,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A payment of a visitor.",
  {
    blockId: "pay",
    intentId: "pi_3OqXyz2eZvKYlo2C0example",
    amount: 12.5,
    currency: "EUR",
    status: "succeeded",
    mode: "live",
  },
);

const RatingSchema = resource(
  "ResultRating",
  {
    sessionId: Type.Optional({ ...Id, description: "Id of the chat; absent with `isLinked`." }),
    revision: Type.Integer({ description: "The number of the step that showed the answer, in its session." }),
    blockId: Type.String({ description: "Id of the block that showed the answer." }),
    isGood: Type.Boolean({ description: "Whether the visitor rated the answer as good." }),
    words: nullable(Type.String({ description: "The visitor's comment on the rating; null if there is none." })),
    ratedAt: Type.Unsafe<Date | string>({ ...Timestamp, description: "Time of the rating." }),
    isLinked,
  },
  "A visitor's rating of a language model's answer.",
  { sessionId: exampleId, revision: 2, blockId: "answer", isGood: true, words: null, ratedAt: exampleTime },
);

const conversation = Type.Optional(
  Type.Object(
    { workspaceId: Id, connectionId: Id, contactId: Id },
    {
      description:
        "The conversation on a messenger that it came from, as the ids of `getChannelConversation`. Only when you read a single result whose contact is not erased, and may read the conversation.",
    },
  ),
);

const ResultSchema = resource(
  "Result",
  {
    id: Id,
    createdAt: Timestamp,
    botId: Id,
    variables: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        value: Type.Union([Type.String(), Type.Array(nullable(Type.String()))], { description: "A text or a list." }),
      }),
      { description: "Values of the flow's variables, without session variables." },
    ),
    isCompleted,
    hasStarted,
    isArchived,
    answers: Type.Array(AnswerSchema, { description: "The accepted replies, oldest first." }),
    ...otherFields,
    ratings: Type.Optional(
      Type.Array(RatingSchema, {
        description: "The visitor's ratings of models' answers, sorted by chat, step and block.",
      }),
    ),
    conversation,
    payments: Type.Optional(
      Type.Array(PaymentSchema, {
        description: "The payments that the chat requested, oldest first. Present only if you read a single result.",
      }),
    ),
  },
  "The data of one visitor's chat.",
  {
    variables: [{ id: "name", name: "Name", value: "Ada" }],
    ...exampleFields(),
    answers: [
      {
        createdAt: exampleTime,
        resultId: exampleId,
        blockId: "name",
        groupId: "welcome",
        variableId: "name",
        content: "Ada",
        storageUsed: 0,
        attachedFileUrls: [],
        storedFileUrls: [],
      },
    ],
  },
);

const LogSchema = resource(
  "ResultLog",
  {
    id: Id,
    createdAt: Timestamp,
    resultId: Id,
    status: Type.String({ description: "`success`, `info`, `warning` or `error`." }),
    description: Type.String({ description: "Description in one sentence." }),
    details: nullable(Type.String({ description: "Further details." })),
    context: nullable(Type.String({ description: "Source of the entry, such as a type of block." })),
  },
  "A log entry of a result's chats.",
);

const IndexedUntil = Type.Unsafe<Date | string>({
  ...Timestamp,
  description:
    "With a filter by a variable whose index is still behind: the time up to which the index contains all results of the bot.",
});

const TotalsSchema = resource(
  "ResultTotals",
  {
    results: Type.Integer({ description: "Number of results on all pages." }),
    started: Type.Integer({ description: "Number of results with an answer." }),
    completed: Type.Integer({ description: "Number of complete results." }),
    isExact: Type.Boolean({
      description: "False if the numbers are a lower bound, or if the index of variables' values is still behind.",
    }),
    isLowerBound: Type.Boolean({
      description: `True if there are more than ${limits.lists.searchedResults} results to search. The numbers are then a lower bound.`,
    }),
    asOf: Type.Optional(IndexedUntil),
  },
  "Totals of the results.",
);

const operation = operationFor("Results");
const success = "success" as const;

const writtenNames = new Intl.ListFormat("en").format(Object.keys(writtenSchemas()));
const allResults = { description: "Whether to select every result of the bot." };
const resultIds = { description: "Ids of the results, separated by commas." };

export const resultOperations: readonly Operation[] = [
  operation({
    id: "listResults",
    route: "GET /api/v1/bots/:botId/results",
    description:
      "By default, newest first, with and without answers (on the compatible path only results with answers). The time window is whole days and months in `timeZone` (default UTC), " +
      "narrowed by `from` and `to`; it is the same for all pages that you read with `nextCursor`. With a filter, each page searches at most " +
      `${limits.lists.searchedResults.toLocaleString("en")} results, so a page can have fewer entries than \`limit\`, or none, while there is a \`nextCursor\`.`,
    isCompatible: true,
    query: listQuery(limits.lists.resultsPageSize),
    compatibleQuery: listQuery(limits.lists.compatibleResultsPageSize),
    answer: Type.Object({
      results: Type.Array(ResultSchema),
      totals: Type.Optional(TotalsSchema),
      isExact: Type.Optional(
        Type.Boolean({
          description: "With a filter by a variable: whether its index contains all of the bot's results.",
        }),
      ),
      asOf: Type.Optional(IndexedUntil),
      nextCursor: NextCursor,
    }),
    answerExample: {
      results: [ResultSchema.example],
      totals: { results: 1, started: 1, completed: 1, isExact: true, isLowerBound: false },
    },
    handle: async (deps, { caller, params, query, dialect }) =>
      listResults(deps, caller, params.botId, resultsQueryFor(dialect, query)),
  }),
  operation({
    id: "deleteResults",
    route: "DELETE /api/v1/bots/:botId/results",
    isCompatible: true,
    query: Type.Object({
      resultIds: Type.Optional(Type.String(resultIds)),
      all: Type.Optional(Type.Boolean(allResults)),
    }),
    body: Type.Object({
      resultIds: Type.Optional(Type.Union([Type.String(resultIds), Type.Array(Type.String())])),
      all: Type.Optional(Type.Boolean(allResults)),
    }),
    bodyExample: { resultIds: [exampleId] },
    answer: Type.Object({
      deletedCount: Type.Integer({ description: "Number of deleted results." }),
      isComplete: Type.Boolean({
        description: "False if there are too many results for one request: send the request again to continue.",
      }),
    }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, query, body }) =>
      deleteResults(deps, caller, params.botId, {
        resultIds: splitIds(body.resultIds ?? query.resultIds),
        isAll: body.all ?? query.all ?? false,
      }),
  }),
  operation({
    id: "getResult",
    route: "GET /api/v1/bots/:botId/results/:resultId",
    isCompatible: true,
    answer: Type.Object({ result: ResultSchema }),
    handle: async (deps, { caller, params }) => ({
      result: await getResult(deps, caller, params.botId, params.resultId),
    }),
  }),
  operation({
    id: "noteResult",
    route: "PATCH /api/v1/bots/:botId/results/:resultId",
    summary: `Set a result's ${writtenNames}`,
    description:
      "Requires the right to delete the result. Fields that you omit do not change; lists are replaced as a whole. Visitors cannot see these fields.",
    body: Type.Object(writtenSchemas()),
    bodyExample: writtenExamples(),
    answer: Type.Object({ result: ResultSchema }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({ result: await noteResult(deps, caller, params, body) }),
  }),
  operation({
    id: "deleteResult",
    route: "DELETE /api/v1/bots/:botId/results/:resultId",
    answer: Type.Object({ message: Type.Literal(success) }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params }) => {
      await deleteResult(deps, caller, params.botId, params.resultId);
      return { message: success };
    },
  }),
  operation({
    id: "listResultLogs",
    route: "GET /api/v1/bots/:botId/results/:resultId/logs",
    isCompatible: true,
    answer: Type.Object({ logs: Type.Array(LogSchema) }),
    answerExample: {
      logs: [
        {
          id: exampleId,
          createdAt: exampleTime,
          resultId: exampleId,
          status: "error",
          description: "Webhook returned an error.",
          details: null,
          context: null,
        },
      ],
    },
    handle: async (deps, { caller, params }) => ({
      logs: await listResultLogs(deps, caller, params.botId, params.resultId),
    }),
  }),
];

function listQuery(maximum: number) {
  return Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum, default: limits.lists.resultsDefaultPageSize })),
    cursor: Type.Optional(
      Type.String({ description: "`nextCursor` of the previous page, used with the same filter." }),
    ),
    ...windowQuery,
    ...filterQuery,
    order: Type.Optional({ ...oneOf(resultOrders), default: "newest", description: "Sort order." }),
    withTotals: Type.Optional(Type.Boolean({ description: "Adds `totals`." })),
  });
}

/** Returns the ids of a list or of a comma-separated text, without empty ids. */
export function splitIds(given: string | readonly string[] | undefined): readonly string[] {
  const ids = typeof given === "string" ? given.split(",") : (given ?? []);
  return ids.map((id) => id.trim()).filter((id) => id !== "");
}
