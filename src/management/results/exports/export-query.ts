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
      "Whether an apostrophe precedes CSV cells that a spreadsheet would take for a formula or, like `+49…`, for a number. `off` is for programs: do not open that file in a spreadsheet.",
  }),
  bom: Type.Optional({
    ...oneOf(switches),
    default: "off",
    description:
      "Whether CSV begins with the byte order mark, by which Excel knows that it is UTF-8: without it Excel shows `é` as `Ã©`.",
  }),
  ...windowQuery,
  timeFilter: Type.Optional({ ...windowQuery.timeFilter, default: "allTime" }),
  ...filterQuery,
  allowPartial: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "With a filter by a variable: whether to export what its index has, rather than to wait for it, and to be refused after a minute. The header `Parley-As-Of` says up to when it surely has all.",
    }),
  ),
  order: Type.Optional({ ...oneOf(resultOrders), default: "newest", description: "Sort order." }),
};
