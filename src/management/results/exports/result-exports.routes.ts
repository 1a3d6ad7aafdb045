import { Type } from "@sinclair/typebox";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { exportQuery } from "./export-query.ts";
import { exportResults, exportTypes, partialHeader } from "./result-exports.ts";

const operation = operationFor("Results");

export const resultExportOperations: readonly Operation[] = [
  operation({
    id: "exportResults",
    route: "GET /api/v1/bots/:botId/results/export",
    summary: "Export results",
    description:
      "Streams a file of all matching results. CSV has a column for each input, as a chat walks the draft, then further variables; NDJSON has a " +
      "result as in the list on each line; XLSX is the table as an Excel workbook. Text that a spreadsheet would read as a formula, or as a number with a plus sign, starts with an apostrophe in " +
      "CSV (unless `guard` is `off`), and is a text cell in XLSX. With a filter by a variable, the export waits until the index has the " +
      'results that were there when you asked, for a minute at most; then it is refused, with `asOf`. With `allowPartial` it does not wait: if some may lack, the header `Parley-As-Of` says up to when there are all, and NDJSON begins with the line `{"meta":{"asOf":…}}`.',
    query: Type.Object(exportQuery),
    answer: Type.Unknown({ description: "The file." }),
    answerExample:
      "Submitted at,Result,Completed,Name\r\n2026-08-22T06:05:06.000Z,06ey3k2m5q8r1t4v7x0z9w2b5d,yes,Ada\r\n",
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
