import { signsOfOperators } from "../../../core/interpreter/language/comparison-signs.ts" with { type: "macro" };
import { findVariables } from "../../../core/interpreter/language/template-scan.ts";
import type { FormContext } from "./contract.ts";
import type { FieldSchema } from "./schema.ts";
import { isObject, isShown, type JsonObject, type Path, presentValue, schemaAt, textOf, valueAt } from "./values.ts";
import { widgetOf } from "./widget-of.ts";

const signs: Readonly<Record<string, string>> = signsOfOperators();

/** Functions that return the name for an id, or undefined if there is none. */
export type Names = {
  variable(id: string): string | undefined;
  group(id: string): string | undefined;
  bot(id: string): string | undefined;
  /** The name for a removed group. If absent, the group's id is shown. */
  readonly missing?: string;
};

type Place = {
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly names: Names;
  /** Whether texts are returned without being shortened. */
  readonly isWhole?: boolean;
};

/**
 * Returns the text of a block. It comes from the first `editor.row` template of the block's type whose fields all have
 * a value. Returns an empty text if there is no such template.
 */
export function rowText(row: readonly string[], place: Place): string {
  for (const template of row) {
    let isSaid = true;
    const text = template.replaceAll(/\{([^}:]+):?(\w*)\}/g, (_, path: string, how: string) => {
      const part = saidAt(path.split("."), how, place);
      if (part === "") isSaid = false;
      return part;
    });
    if (isSaid) return text;
  }
  return "";
}

/**
 * Returns the text of a field in a template. The text is empty if the form hides the field, if the field contains a
 * group of a flow that has not been loaded, or if `how` is `other` and the value is the default.
 */
function saidAt(path: Path, how: string, { schema, value, names, isWhole = false }: Place): string {
  const field = schemaAt(schema, path);
  const inner = path.slice(0, -1);
  const around = { schema: schemaAt(schema, inner) ?? schema, value: valueAt(value, inner) };
  if (!field || !isShown(field, [around])) return "";
  const bot = field.botField && valueAt(around.value, [field.botField]);
  if (bot && bot !== "current" && !names.group(textOf(valueAt(value, path)))) return "";
  const stored = presentValue(valueAt(value, path)) ?? field.default;
  if (how === "other" && stored === field.default) return "";
  const text = said(field, stored, names);
  if (isWhole) return text;
  return how === "address" ? shortAddress(text) : how === "line" ? (text.trim().split("\n")[0] ?? "") : text;
}

/**
 * Returns the host and the last path segment of a URL without its query. An ellipsis replaces the segments between
 * them.
 */
function shortAddress(text: string): string {
  const [host = "", ...parts] = text
    .replace(/^(data:.*|https?:\/\/(www\.)?)/, "")
    .replace(/\/?([?#].*)?$/, "")
    .split("/");
  return [host, ...(parts.length > 1 ? ["…"] : []), ...parts.slice(-1)].join("/");
}

/**
 * Returns a value as text, with names instead of the ids of variables, groups and bots. The text of a switch is empty.
 */
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
      return text === "" || findVariables(text).length > 0 ? text : (names.group(text) ?? names.missing ?? text);
    case "bot":
      return names.bot(text) ?? text;
    default:
      return schema.wordTitles?.[text] ?? text;
  }
}

/**
 * Returns a text entry itself, or the text of the first field of an object that has a text. Read-only and media fields
 * are skipped.
 */
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
    .filter(({ variableId, value }) => textOf(variableId) !== "" || textOf(value) !== "")
    .map(({ variableId, comparisonOperator, value }) =>
      [
        names.variable(textOf(variableId)) ?? "",
        signs[textOf(comparisonOperator)] ?? inWords(textOf(comparisonOperator), operators),
        textOf(value),
      ]
        .filter((part) => part !== "")
        .join(" "),
    )
    .join(condition["logicalOperator"] === "OR" ? ` ${OR} ` : ` ${AND} `);
}

/** Returns the label of an operator with a lower-case first letter, for use within a sentence. */
function inWords(operator: string, titles: Readonly<Record<string, string>> | undefined): string {
  const title = titles?.[operator] ?? operator;
  return title.charAt(0).toLowerCase() + title.slice(1);
}

/** The elements of a rich text that form their own lines. */
const lines = /^(p|ul|ol|li|lic)$/;

function plainText(node: unknown): string {
  if (!isObject(node)) return "";
  const { text, children } = node;
  if (Array.isArray(children))
    return children
      .map(plainText)
      .join(children.some((child) => isObject(child) && lines.test(textOf(child["type"]))) ? " " : "");
  return typeof text === "string" ? text : "";
}

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
