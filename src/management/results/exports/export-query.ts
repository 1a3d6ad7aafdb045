import { Type } from "@sinclair/typebox";
import { oneOf } from "../../../platform/http/schemas.ts";
import { resultOrders } from "../result-filters.ts";
import { filterQuery, windowQuery } from "../result-queries.ts";
import { exportFormats, switches } from "./result-exports.ts";

/** The parameters in a query or a body that select the results of an export and its format. */
export const exportQuery = {
  format: Type.Optional({ ...oneOf(exportFormats), default: "csv", description: "Format of the file." }),
  guard: Type.Optional({
    ...oneOf(switches),
    default: "on",
    description:
      "Whether an apostrophe precedes CSV cells that a spreadsheet would interpret as a formula or, like `+49…`, as a number. `off` is for programs: do not open such a file in a spreadsheet.",
  }),
  bom: Type.Optional({
    ...oneOf(switches),
    default: "off",
    description:
      "Whether a CSV file begins with the byte order mark, by which Excel recognises UTF-8. Without it, Excel shows `é` as `Ã©`.",
  }),
  ...windowQuery,
  timeFilter: Type.Optional({ ...windowQuery.timeFilter, default: "allTime" }),
  ...filterQuery,
  allowPartial: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "With a filter by a variable: whether to export the results that its index already contains. Otherwise the export waits for the index, and fails after a minute, or after some minutes if a job creates it. The header `Parley-As-Of` has the time up to which the index contains all results.",
    }),
  ),
  order: Type.Optional({ ...oneOf(resultOrders), default: "newest", description: "Sort order." }),
};
