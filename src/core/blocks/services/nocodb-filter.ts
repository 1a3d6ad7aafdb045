import { type Static, Type } from "@sinclair/typebox";
import { matchesPattern } from "../../interpreter/evaluation/expression.ts";
import { type ComparisonOperator, compare, comparisonOperators } from "../../interpreter/language/comparison.ts";
import type { View } from "../../interpreter/program/view.ts";
import { marked, option, titled } from "../options.ts";

const schema = Type.Object({
  joiner: titled("Match", option.word(["AND", "OR"], "Whether all comparisons must be true, or only one.", "AND")),
  comparisons: marked(
    { title: "Comparisons" },
    option.list("Comparisons of fields.", {
      input: titled("Field", option.remote("Name of the field.", ["credentialsId", "tableId"])),
      operator: titled(
        "Operator",
        option.word(comparisonOperators, "The operator. A comparison without an operator is never true."),
      ),
      value: option.text("The value to compare the field with."),
    }),
  ),
});

/** The option that selects the records of a search. A filter without comparisons matches all records. */
export const filterOption = marked({ title: "Filter" }, option.part("The records to find.", schema.properties));

export type Filter = Static<typeof schema>;

/** A comparison after its variables were replaced. */
export type Compared = {
  readonly field: string;
  readonly operator: ComparisonOperator | undefined;
  readonly value: string;
};

/**
 * A filter after its variables were replaced, in the form stored between pages. Comparisons without a field are
 * removed.
 */
export type ReadFilter = { readonly isAny: boolean; readonly compared: readonly Compared[] };

export function readFilter({ joiner, comparisons = [] }: Filter, view: View): ReadFilter {
  const compared = comparisons.flatMap(({ input, operator, value }): Compared[] => {
    const field = view.text(input).trim();
    return field === "" ? [] : [{ field, operator, value: view.text(value) }];
  });
  return { isAny: joiner === "OR", compared };
}

/**
 * Returns the part of a filter that the server can apply, to reduce the number of records sent. Returns undefined if
 * there is no such part. A value with a bracket or a comma is left out, because the server's filter language has no
 * quoting. Dates and checkboxes need a special syntax and are filtered locally.
 */
export function whereOf({ isAny, compared }: ReadFilter): string | undefined {
  const asked = compared.filter(isPlain);
  if (asked.length === 0 || (isAny && asked.length < compared.length)) return undefined;
  return asked.map(({ field, value }) => `(${field},eq,${value})`).join(isAny ? "~or" : "~and");
}

const plainText = /^[A-Za-z0-9](?:[A-Za-z0-9 @._-]*[A-Za-z0-9])?$/;
const otherwiseCompared = /^(?:true|false|null|empty|blank|\d{4}-\d\d.*)$/i;

function isPlain({ field, operator, value }: Compared): boolean {
  return operator === "Equal to" && plainText.test(field) && plainText.test(value) && !otherwiseCompared.test(value);
}

export function isWanted(
  record: ReadonlyMap<string, string | null>,
  { isAny, compared }: ReadFilter,
  view: View,
): boolean {
  if (compared.length === 0) return true;
  const holds = ({ field, operator, value }: Compared): boolean => {
    if (operator === undefined) return false;
    view.templates.meter?.spend("comparisons", 1);
    return compare(operator, record.get(field) ?? null, value, (pattern, text) =>
      matchesPattern(pattern, text, view.runScript),
    );
  };
  return isAny ? compared.some(holds) : compared.every(holds);
}
