import { Type } from "@sinclair/typebox";
import { resultsQueryFor } from "../../compatibility/requests.ts";
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
import { answerSchemas, exampleFields } from "./result-fields.ts";
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
    storageUsed: Type.Number({ description: "Always 0: storage is not counted by answer." }),
    attachedFileUrls: Type.Array(Type.String(), { description: "Addresses of files that were sent along." }),
    storedFileUrls: Type.Array(Type.String(), {
      description: "Those of the addresses in `content` and `attachedFileUrls` whose files are stored here.",
    }),
  },
  "What a visitor answered to one input.",
);

const { isCompleted, hasStarted, isArchived, ...otherFields } = answerSchemas();

const { tags, note, ...shown } = exampleFields();

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
        value: Type.Union([Type.String(), Type.Array(nullable(Type.String()))], { description: "A text, or a list." }),
      }),
      { description: "What variables of the flow hold, those of a session left out." },
    ),
    isCompleted,
    hasStarted,
    isArchived,
    answers: Type.Array(AnswerSchema, { description: "One for each reply that was accepted, in order." }),
    ...otherFields,
  },
  "The data of one visitor's chat.",
  {
    variables: [{ id: "name", name: "Name", value: "Ada" }],
    ...shown,
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
    tags,
    note,
  },
);

const LogSchema = resource(
  "ResultLog",
  {
    id: Id,
    createdAt: Timestamp,
    resultId: Id,
    status: Type.String({ description: "`success`, `info`, `warning` or `error`." }),
    description: Type.String({ description: "What happened, in a sentence." }),
    details: nullable(Type.String({ description: "What there is to know besides." })),
    context: nullable(Type.String({ description: "Where it happened." })),
  },
  "Something that was noted while the chats of a result ran.",
);

const TotalsSchema = resource(
  "ResultTotals",
  {
    results: Type.Integer({ description: "Of all pages." }),
    started: Type.Integer({ description: "Those whose visitors answered." }),
    completed: Type.Integer({ description: "Those that came to an end." }),
    isExact: Type.Boolean({
      description: `False where there are more than ${limits.lists.searchedResults} to look at: the numbers are the least that there are.`,
    }),
  },
  "How many results there are in all.",
);

const operation = operationFor("Results");
const success = "success" as const;

const allResults = { description: "Every result of the bot." };
const resultIds = { description: "Which results; separated by commas." };

export const resultOperations: readonly Operation[] = [
  operation({
    id: "listResults",
    route: "GET /api/v1/bots/:botId/results",
    summary: "List a bot's results",
    description:
      "Newest first, whether their visitors answered or not (on the compatible path only those who did). The window of time is whole days and months in `timeZone` (UTC " +
      "unless said), and what `from` and `to` leave of it; it stays the same for all pages that `nextCursor` leads to. A filter looks at " +
      `${limits.lists.searchedResults.toLocaleString("en")} results for a page at most: a page may hold fewer than \`limit\`, or none, while there is a \`nextCursor\`.`,
    isCompatible: true,
    query: listQuery(limits.lists.resultsPageSize),
    compatibleQuery: listQuery(limits.lists.compatibleResultsPageSize),
    answer: Type.Object({
      results: Type.Array(ResultSchema),
      totals: Type.Optional(TotalsSchema),
      nextCursor: NextCursor,
    }),
    answerExample: { results: [ResultSchema.example], totals: { results: 1, started: 1, completed: 1, isExact: true } },
    handle: async (deps, { caller, params, query, dialect }) =>
      listResults(deps, caller, params.botId, resultsQueryFor(dialect, query)),
  }),
  operation({
    id: "deleteResults",
    route: "DELETE /api/v1/bots/:botId/results",
    summary: "Delete results",
    description:
      "They lie in the bin for 30 days, then what visitors said is erased for good; `POST …/results/erase` does so at once. Name the results, " +
      "in the query or the body, or say `all=true`. Where there are very many, `isComplete` is false: ask again to go on.",
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
      deletedCount: Type.Integer({ description: "How many were deleted." }),
      isComplete: Type.Boolean({ description: "False if there are very many: send the request again to continue." }),
    }),
    answerExample: { deletedCount: 1, isComplete: true },
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
    summary: "Get a result",
    isCompatible: true,
    answer: Type.Object({ result: ResultSchema }),
    handle: async (deps, { caller, params }) => ({
      result: await getResult(deps, caller, params.botId, params.resultId),
    }),
  }),
  operation({
    id: "noteResult",
    route: "PATCH /api/v1/bots/:botId/results/:resultId",
    summary: "Set a result's tags and note",
    description:
      "For those who may delete it. What is left out stays; `tags` are replaced as a whole. No visitor sees either.",
    body: Type.Object({
      tags: Type.Optional(
        Type.Array(Type.String({ maxLength: limits.resultNotes.tagCharacters }), {
          maxItems: limits.resultNotes.tags,
          description: "Texts without a comma or a blank at an end; the same one twice counts once.",
        }),
      ),
      note: Type.Optional(
        nullable(Type.String({ maxLength: limits.resultNotes.noteCharacters, description: "A note for its readers." })),
      ),
    }),
    bodyExample: { tags: ["lead"], note: "Called back" },
    answer: Type.Object({ result: ResultSchema }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({ result: await noteResult(deps, caller, params, body) }),
  }),
  operation({
    id: "deleteResult",
    route: "DELETE /api/v1/bots/:botId/results/:resultId",
    summary: "Delete a result",
    description: "As deleting several, but a result that is not there is an error.",
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
    summary: "List a result's log entries",
    description: "Log entries of its chats, in order.",
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
    cursor: Type.Optional(Type.String({ description: "`nextCursor` of the page before, asked with the same filter." })),
    ...windowQuery,
    ...filterQuery,
    order: Type.Optional({ ...oneOf(resultOrders), default: "newest", description: "Which come first." }),
    withTotals: Type.Optional(Type.Boolean({ description: "Adds `totals`." })),
  });
}

/** Ids given as a list, or as a text with commas. */
export function splitIds(given: string | readonly string[] | undefined): readonly string[] {
  const ids = typeof given === "string" ? given.split(",") : (given ?? []);
  return ids.map((id) => id.trim()).filter((id) => id !== "");
}
