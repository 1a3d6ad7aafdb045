import { Type } from "@sinclair/typebox";
import { filterSchemas } from "../../core/results/result-fields.ts";
import { limits } from "../../limits/index.ts";
import { oneOf, TimestampInput } from "../../platform/http/schemas.ts";
import { timeFilters } from "./time-windows.ts";

/** The query parameters for the time at which results started. */
export const windowQuery = {
  timeFilter: Type.Optional({
    ...oneOf(timeFilters),
    default: "last7Days",
    description: "Time window in which the results started: whole days and months in `timeZone`.",
  }),
  timeZone: Type.Optional(
    Type.String({ description: "Name of a time zone in the IANA database.", examples: ["Europe/Paris"] }),
  ),
  from: Type.Optional({
    ...TimestampInput,
    description: "Start of the window (inclusive). `timeFilter` then defaults to `allTime`.",
  }),
  to: Type.Optional({
    ...TimestampInput,
    examples: ["2026-08-23T06:05:06.000Z"],
    description: "End of the window (exclusive). `timeFilter` then defaults to `allTime`.",
  }),
};

const Value = Type.String({ maxLength: limits.lists.searchCharacters });

const ofFields = filterSchemas();

/** The query parameters that filter results. A result must match all given filters. */
export const filterQuery = {
  ...ofFields,
  publicationNumber: {
    ...ofFields.version,
    description: "The same as `version`, under the name of the result's field.",
  },
  variables: Type.Optional(
    Type.Record(Type.String(), Value, {
      description:
        "Value of the variable NAME, or an entry of its list: `variables[email]=ada@example.com`, or `variables.email=…`. Parley finds values one or two minutes after the reply; `isExact` and `asOf` show whether all values are found.",
    }),
  ),
  variablePrefixes: Type.Optional(
    Type.Record(Type.String(), Value, {
      description:
        "Beginning of the value of the variable NAME: `variablePrefixes[email]=ada@`, or `variablePrefixes.email=…`.",
    }),
  ),
  leftAt: Type.Optional(
    Type.String({
      maxLength: limits.lists.searchCharacters,
      description:
        "Id of a block. Returns only incomplete results that wait or ended at this block, as `left` in `insight` counts them.",
    }),
  ),
  answer: Type.Optional(
    Type.String({
      maxLength: limits.lists.searchCharacters,
      description: "Text that one of the result's answers contains. Case does not matter.",
    }),
  ),
};
