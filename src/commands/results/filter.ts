import type { ServiceOptions } from "../service-options.ts";

/** The options of a command that filter results. */
export type FilterOptions = ServiceOptions & {
  readonly from?: string;
  readonly to?: string;
  readonly completed?: true;
  readonly publication?: number;
  readonly tag?: string;
  readonly variable?: Readonly<Record<string, string>>;
};

/** Returns the query parameters of a list or an export of results. */
export function filterQuery(options: FilterOptions): URLSearchParams {
  const { from, to, completed, publication, tag, variable = {} } = options;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ from, to, tag, isCompleted: completed, publicationNumber: publication }))
    if (value !== undefined) query.set(name, String(value));
  for (const [name, value] of Object.entries(variable)) query.set(`variables.${name}`, value);
  return query;
}
