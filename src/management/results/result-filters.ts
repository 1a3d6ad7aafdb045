import { createHash } from "node:crypto";
import { type FieldFilters, fieldFilters } from "../../core/results/result-fields.ts";
import { limits } from "../../limits/index.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import type { ResultFilter, WantedValue } from "./result-search.sql.ts";

export const resultOrders = ["newest", "oldest"] as const;
export type ResultOrder = (typeof resultOrders)[number];

/** The filters of a request for results, except for the time. */
export type FilterRequest = FieldFilters & {
  /** An alias of `version`. */
  readonly publicationNumber?: number | undefined;
  readonly answer?: string | undefined;
  readonly leftAt?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly variablePrefixes?: Readonly<Record<string, string>> | undefined;
  readonly order?: ResultOrder | undefined;
};

export type ReadFilter = {
  readonly filter: ResultFilter;
  readonly isOldestFirst: boolean;
  /**
   * The text that identifies this filter and order in a cursor. Empty if there is no filter and the order is the
   * default.
   */
  readonly mark: string;
};

/**
 * Reads the filters of a request. With `isStartedOnly`, the filter `hasStarted` defaults to true. Throws
 * `request.invalid` for too many values of variables, or if `version` and `publicationNumber` differ.
 */
export function readFilter({
  answer,
  leftAt,
  variables,
  variablePrefixes,
  order = "newest",
  isStartedOnly,
  publicationNumber,
  ...request
}: FilterRequest & { readonly isStartedOnly: boolean }): ReadFilter {
  const values = [...wanted(variables, false), ...wanted(variablePrefixes, true)];
  if (values.length > limits.resultValues.perSearch) {
    const message = `and variablePrefixes can have ${limits.resultValues.perSearch} entries together`;
    throw invalidInput([{ path: "variables", message }]);
  }
  const { isCompleted, hasStarted, version = publicationNumber, ...others } = fieldFilters(request);
  if (publicationNumber !== undefined && publicationNumber !== version)
    throw invalidInput([{ path: "publicationNumber", message: "must be the same as version" }]);
  // The marks in cursors depend on the order of these keys, so the order must not change.
  const filter = {
    isCompleted,
    hasStarted: hasStarted ?? (isStartedOnly || undefined),
    version,
    answer,
    ...others,
    ...(values.length > 0 && { values }),
    ...(leftAt !== undefined && { leftAt }),
  };
  const isOldestFirst = order === "oldest";
  const asked = JSON.stringify({ ...filter, isOldestFirst: isOldestFirst || undefined });
  const mark = asked === "{}" ? "" : ` ${createHash("sha256").update(asked).digest("base64url").slice(0, 12)}`;
  return { filter, isOldestFirst, mark };
}

function wanted(given: Readonly<Record<string, string>> | undefined, isPrefix: boolean): WantedValue[] {
  return Object.entries(given ?? {}).map(([name, value]) => ({ name, value, isPrefix }));
}
