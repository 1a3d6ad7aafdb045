import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import {
  described,
  exampleId,
  Id,
  idPath,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
} from "../../../platform/http/schemas.ts";
import { fileResponse } from "../../files/file-response.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { exportQuery } from "./export-query.ts";
import { deleteExport, exportStatuses, getExport, listExports, openExport, requestExport } from "./exports.ts";
import type { ResultExportRow } from "./result-exports.sql.ts";
import { exportFormats, partialHeader } from "./result-exports.ts";

const ExportSchema = resource(
  "ResultExport",
  {
    id: Id,
    botId: Id,
    userId: Type.String({ description: "Id of the user who requested the export." }),
    format: oneOf(exportFormats, { description: "Format of the file." }),
    fileName: Type.String({ description: "Name of the file." }),
    status: oneOf(exportStatuses, { description: "State of the export." }),
    writtenResults: Type.Integer({ description: "Number of results written so far." }),
    expectedResults: nullable(
      Type.Integer({ description: "Total number of results; null if it is unknown, as with most filters." }),
    ),
    bytes: nullable(Type.Integer({ description: "Size of the file; null while the job is running." })),
    problem: nullable(Type.String({ description: "The reason why the export failed." })),
    meta: Type.Object(
      {
        asOf: nullable({
          ...Timestamp,
          description:
            "Only for a partial export (`allowPartial`): the time up to which the export contains all results.",
        }),
      },
      { description: "Details of the file." },
    ),
    createdAt: Timestamp,
    readyAt: described(nullable(Timestamp), "Time at which the file was ready; null before that."),
    expiresAt: Type.Unsafe<Date | string>({ ...Timestamp, description: "Time until which the file is kept." }),
  },
  "An export that a job creates, and that is kept for some time.",
  {
    userId: exampleId,
    format: "xlsx",
    fileName: "results-survey-2026-08-22.xlsx",
    status: "ready",
    writtenResults: 250_000,
    expectedResults: 250_000,
    bytes: 31_250_112,
    problem: null,
    meta: { asOf: null },
  },
);

const operation = operationFor("Results");
const base = "/api/v1/bots/:botId/result-exports";
const BotPath = Type.Object({ botId: idPath("bot.not_found") });
const ExportPath = Type.Object({ ...BotPath.properties, exportId: idPath("result_export.not_found") });
const success = "success" as const;

export const exportOperations: readonly Operation[] = [
  operation({
    id: "requestExport",
    route: `POST ${base}`,
    description:
      "Suited to many results: the response is immediate, and a job creates the file. With a filter by a variable, the job also waits for the index, and fails if that takes more than some minutes, unless `allowPartial` is true. Read its `status`, or subscribe an event endpoint to `results.exported`. " +
      `The file is kept for ${limits.resultExports.hours} hours; it is removed immediately when somebody erases results of the bot or a person.`,
    body: Type.Object(exportQuery),
    answer: Type.Object({ resultExport: ExportSchema }),
    answerExample: {
      resultExport: {
        ...ExportSchema.example,
        status: "waiting",
        writtenResults: 0,
        expectedResults: null,
        bytes: null,
        readyAt: null,
      },
    },
    errors: ["result_export.too_many"],
    handle: async (deps, { caller, params, body }) => ({
      resultExport: shown(
        await requestExport(deps, caller, params.botId, {
          ...body,
          format: body.format ?? "csv",
          isStartedOnly: false,
        }),
      ),
    }),
  }),
  operation({
    id: "listExports",
    route: `GET ${base}`,
    ...pageOf({ resultExports: Type.Array(ExportSchema) }),
    async handle(deps, { caller, params, query }) {
      const { resultExports, ...rest } = await listExports(deps, caller, params.botId, query);
      return { resultExports: resultExports.map(shown), ...rest };
    },
  }),
  operation({
    id: "getExport",
    route: `GET ${base}/:exportId`,
    params: ExportPath,
    answer: Type.Object({ resultExport: ExportSchema }),
    handle: async (deps, { caller, params }) => ({ resultExport: shown(await getExport(deps, caller, params)) }),
  }),
  operation({
    id: "downloadExport",
    route: `GET ${base}/:exportId/file`,
    params: ExportPath,
    answer: Type.Unknown({ description: "The file." }),
    answerType: "application/octet-stream",
    errors: ["result_export.not_ready", "file.range_invalid", "storage.unavailable"],
    async handle(deps, { caller, params, request, answerHeaders }) {
      const { asOf, ...file } = await openExport(deps, caller, params);
      Object.assign(answerHeaders, partialHeader(asOf));
      return await fileResponse(file, request, { isPublic: false });
    },
  }),
  operation({
    id: "deleteExport",
    route: `DELETE ${base}/:exportId`,
    params: ExportPath,
    answer: Type.Object({ message: Type.Literal(success) }),
    errors: ["workspace.forbidden"],
    async handle(deps, { caller, params }) {
      await deleteExport(deps, caller, params);
      return { message: success };
    },
  }),
];

function shown({ asOf, ...row }: ResultExportRow) {
  return { ...row, meta: { asOf } };
}
