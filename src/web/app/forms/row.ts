import { findVariables } from "../../../interpreter/template-scan.ts";
import type { FormContext } from "./contract.ts";
import type { FieldSchema } from "./schema.ts";
import { isObject, type JsonObject, type Path, presentValue, schemaAt, textOf, valueAt } from "./values.ts";
import { widgetOf } from "./widget-of.ts";

/** What names stand for ids. */
export type Names = {
  variable(id: string): string | undefined;
  group(id: string): string | undefined;
  bot(id: string): string | undefined;
};

/** What the line of a block says, as its type's `editor.row` has it; nothing where none of its texts has all that it names. */
export function rowText(
  row: readonly string[],
  { schema, value, names }: { readonly schema: FieldSchema; readonly value: unknown; readonly names: Names },
): string {
  for (const template of row) {
    let isWhole = true;
    const text = template.replaceAll(/\{([^}]+)\}/g, (_, path: string) => {
      const said = saidAt(path.split("."), { schema, value, names });
      if (said === "") isWhole = false;
      return said;
    });
    if (isWhole) return text;
  }
  return "";
}

type Place = { readonly schema: FieldSchema; readonly value: unknown; readonly names: Names };

function saidAt(path: Path, { schema, value, names }: Place): string {
  const field = schemaAt(schema, path);
  return field ? said(field, presentValue(valueAt(value, path)) ?? field.default, names) : "";
}

/** A value in few words; nothing where it has none, and for what is on or off. */
export function said(schema: FieldSchema, value: unknown, names: Names): string {
  if (Array.isArray(value)) {
    if (widgetOf(schema) === "richText") return value.map(plainText).join(" ").trim();
    const entries = value.map((entry) => (schema.items ? saidOfEntry(schema.items, entry, names) : ""));
    return entries.filter((entry) => entry !== "").join(", ");
  }
  if (isObject(value))
    return schema.isCondition ? saidOfCondition(schema, value, names) : saidOfEntry(schema, value, names);
  const text = typeof value === "boolean" ? "" : textOf(value);
  switch (widgetOf(schema)) {
    case "variable":
      return names.variable(text) ?? text;
    case "group":
      return findVariables(text).length > 0 ? text : (names.group(text) ?? text);
    case "bot":
      return names.bot(text) ?? text;
    default:
      return schema.wordTitles?.[text] ?? text;
  }
}

/** What an entry of a list is called: the first of its fields that says something. */
function saidOfEntry(schema: FieldSchema, entry: unknown, names: Names): string {
  if (typeof entry === "string") return entry;
  if (!isObject(entry)) return "";
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    if (field.widget === "kept" || field.widget === "media" || !Object.hasOwn(entry, key)) continue;
    const text = said(field, presentValue(entry[key]), names);
    if (text !== "") return text;
  }
  return "";
}

function saidOfCondition(schema: FieldSchema, condition: JsonObject, names: Names): string {
  const comparisons = Array.isArray(condition["comparisons"]) ? condition["comparisons"] : [];
  const { AND = "and", OR = "or" } = schema.joiners ?? {};
  const operators = schemaAt(schema, ["comparisons", 0, "comparisonOperator"])?.wordTitles;
  return comparisons
    .filter(isObject)
    .map((comparison) =>
      [
        names.variable(textOf(comparison["variableId"])) ?? "",
        inWords(textOf(comparison["comparisonOperator"]), operators),
        textOf(comparison["value"]),
      ]
        .filter((part) => part !== "")
        .join(" "),
    )
    .join(condition["logicalOperator"] === "OR" ? ` ${OR} ` : ` ${AND} `);
}

/** Within a sentence a translated operator goes on in lower case; those of the flow language stand as they are stored. */
function inWords(operator: string, titles: Readonly<Record<string, string>> | undefined): string {
  const title = titles?.[operator];
  return title === undefined ? operator : title.charAt(0).toLowerCase() + title.slice(1);
}

function plainText(node: unknown): string {
  if (!isObject(node)) return "";
  const { text, children } = node;
  if (Array.isArray(children)) return children.map(plainText).join("");
  return typeof text === "string" ? text : "";
}

/** What the entry of a list in a form is called. */
export function entryTitle(
  schema: FieldSchema,
  entry: unknown,
  context: Pick<FormContext, "variables" | "groups" | "bots">,
): string {
  return saidOfEntry(schema, entry, {
    variable: (id) => context.variables.value.find((one) => one.id === id)?.name,
    group: (id) => context.groups().find((one) => one.id === id)?.title,
    bot: (id) => context.bots().find((one) => one.id === id)?.name,
  });
}
