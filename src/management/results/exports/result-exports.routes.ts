import { Type } from "@sinclair/typebox";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { exportQuery } from "./export-query.ts";
import { exportResults, exportTypes, partialHeader } from "./result-exports.ts";

const operation = operationFor("Results");

export const resultExportOperations: readonly Operation[] = [
  operation({
    id: "exportResults",
    route: "GET /api/v1/bots/:botId/results/export",
    query: Type.Object(exportQuery),
    answer: Type.Unknown({ description: "The file." }),
    answerType: ["text/csv", "application/jsonl", exportTypes.xlsx],
    errors: ["results.not_counted"],
    async handle(deps, { caller, params, query }) {
      const format = query.format ?? "csv";
      const { fileName, content, asOf } = await exportResults(deps, caller, params.botId, {
        ...query,
        format,
        isStartedOnly: false,
      });
      return new Response(content, {
        headers: {
          "Content-Type": exportTypes[format],
          "Content-Disposition": `attachment; filename="${fileName}"`,
          "Cache-Control": "no-store",
          ...partialHeader(asOf),
        },
      });
    },
  }),
];
