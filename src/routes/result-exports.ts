import { Type } from "@sinclair/typebox";
import { exportFormats, exportResults } from "../services/result-exports.ts";
import { resultOrders } from "../services/result-filters.ts";
import { needsToken } from "./http/authentication.ts";
import { type Operation, operation } from "./http/operation.ts";
import { idPath, oneOf } from "./http/schemas.ts";
import { filterQuery, windowQuery } from "./result-queries.ts";

const types = { csv: "text/csv; charset=utf-8; header=present", ndjson: "application/jsonl; charset=utf-8" };

export const resultExportOperations: readonly Operation[] = [
  operation({
    id: "exportResults",
    method: "GET",
    path: "/api/v1/bots/:botId/results/export",
    tag: "Results",
    summary: "Export results",
    description:
      "A file of all results that fit, made while it is read. CSV has a column for each input, in the flow's order, then further variables; NDJSON has a " +
      "result as in the list on each line. What a spreadsheet would take for a formula begins with an apostrophe in CSV.",
    auth: needsToken("read"),
    params: Type.Object({ botId: idPath("bot.not_found") }),
    query: Type.Object({
      format: Type.Optional({ ...oneOf(exportFormats), default: "csv" }),
      ...windowQuery,
      timeFilter: Type.Optional({ ...windowQuery.timeFilter, default: "allTime" }),
      ...filterQuery,
      order: Type.Optional({ ...oneOf(resultOrders), default: "newest" }),
    }),
    answer: Type.Unknown({ description: "The file." }),
    answerExample:
      "Submitted at,Result,Completed,Name\r\n2026-08-22T06:05:06.000Z,06ey3k2m5q8r1t4v7x0z9w2b5d,yes,Ada\r\n",
    answerType: ["text/csv", "application/jsonl"],
    errors: ["workspace.suspended"],
    async handle(deps, { caller, params, query }) {
      const format = query.format ?? "csv";
      const { fileName, chunks } = await exportResults(deps, caller, params.botId, {
        ...query,
        format,
        isStartedOnly: false,
      });
      return new Response(streamOf(chunks), {
        headers: {
          "Content-Type": types[format],
          "Content-Disposition": `attachment; filename="${fileName}"`,
          "Cache-Control": "no-store",
        },
      });
    },
  }),
];

/** The next chunk is made when the last was taken; who goes away ends it. */
function streamOf(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
