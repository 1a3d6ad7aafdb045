import type { resultFields } from "../../src/core/results/result-fields.ts";

type FieldSample = {
  /** The field's value when it is not set, and when it is set. */
  readonly unset: unknown;
  readonly value: unknown;
  /** The query parameters with which a list contains only results with this value. Absent if there is no filter. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** The column of the field in CSV and Excel: its title, and the cells of both values. */
  readonly column?: {
    readonly title: string;
    readonly at: "front" | "end";
    readonly unset: string;
    readonly cell: string;
  };
  /**
   * Whether an erasure of the result clears the field, a copy of the bot keeps it, and an import from another service
   * includes it.
   */
  readonly isErased: boolean;
  readonly isCopied: boolean;
  readonly isImported: boolean;
};

/** All fields of a result in the order of exports. */
export const fieldSamples: { readonly [Name in keyof typeof resultFields]: FieldSample } = {
  isCompleted: {
    ...{ unset: false, value: true, query: { isCompleted: true } },
    column: { title: "Completed", at: "front", unset: "no", cell: "yes" },
    ...{ isErased: false, isCopied: true, isImported: true },
  },
  hasStarted: {
    ...{ unset: false, value: true, query: { hasStarted: true } },
    ...{ isErased: false, isCopied: true, isImported: true },
  },
  // Lists never contain deleted results.
  isArchived: { unset: false, value: false, isErased: false, isCopied: true, isImported: false },
  tags: {
    ...{ unset: [], value: ["lead", "vip"], query: { tag: "vip" } },
    column: { title: "Tags", at: "end", unset: "", cell: "lead, vip" },
    ...{ isErased: true, isCopied: true, isImported: true },
  },
  note: {
    ...{ unset: null, value: "Called back" },
    column: { title: "Note", at: "end", unset: "", cell: "Called back" },
    ...{ isErased: true, isCopied: true, isImported: true },
  },
  publicationNumber: {
    ...{ unset: null, value: 3, query: { version: 3 } },
    column: { title: "Version", at: "end", unset: "", cell: "3" },
    // An import includes the field if the bot has this publication.
    ...{ isErased: false, isCopied: false, isImported: false },
  },
  isPaid: {
    ...{ unset: false, value: true, query: { isPaid: true } },
    column: { title: "Paid", at: "end", unset: "no", cell: "yes" },
    ...{ isErased: false, isCopied: true, isImported: false },
  },
  channel: {
    ...{ unset: null, value: "telegram", query: { channel: "telegram" } },
    column: { title: "Channel", at: "end", unset: "", cell: "telegram" },
    ...{ isErased: false, isCopied: true, isImported: false },
  },
  contactId: {
    ...{ unset: null, value: "01k3a5v6w7x8y9z0a1b2c3d4e5", query: { contactId: "01k3a5v6w7x8y9z0a1b2c3d4e5" } },
    ...{ isErased: true, isCopied: true, isImported: false },
  },
};

/** The fields of a result before they are set, in the format of the API. */
export const unsetFields = Object.fromEntries(Object.entries(fieldSamples).map(([name, { unset }]) => [name, unset]));

/** The columns of an export after the answers. */
const endColumns = Object.values(fieldSamples).flatMap(({ column }) => (column?.at === "end" ? [column] : []));

export const endTitles = endColumns.map(({ title }) => title);

/** Returns the cells after the answers: the given cells, and the cells of unset fields for all other columns. */
export function endCells<Cell>(given: Readonly<Record<string, Cell>>): (Cell | string)[] {
  return endColumns.map(({ title, unset }) => given[title] ?? unset);
}
