import type { Path } from "../../../editing/change.ts";
import { textAt } from "../../../interpreter/flow.ts";
import {
  type BlockType,
  type FieldSchema,
  type FlowSchemas,
  type Names,
  said,
  schemaAt,
  widgetOf,
} from "../forms/index.ts";
import type { FieldAt, Fielded } from "./tell.ts";

/** What the catalogue knows of a flow's parts; undefined while it is on its way. */
export type Schemas = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly flow: FlowSchemas | undefined;
};

/** The schema of a thing; undefined of what nobody has described. */
export function schemaOf({ of, value, block }: Fielded, { types, flow }: Schemas): FieldSchema | undefined {
  switch (of) {
    case "block":
    case "event":
      return types?.get(textAt(value, "type") ?? "")?.schema;
    case "item": {
      const schema = block && types?.get(textAt(block, "type") ?? "")?.schema;
      return schema && schemaAt(schema, ["items", 0]);
    }
    case "theme":
    case "settings":
    case "group":
    case "variable":
      return flow?.[of];
    default:
      return undefined;
  }
}

/** The fields that forms have of these things: a path within a text, a list or a condition is of the whole. */
export function fieldsBy(schemas: Schemas): FieldAt {
  return (thing, path) => fieldIn(schemaOf(thing, schemas), path);
}

function fieldIn(schema: FieldSchema | undefined, path: Path): Path {
  for (let length = 1; length <= path.length; length++) {
    if (typeof path[length] === "number") return path.slice(0, length);
    const field = schema && schemaAt(schema, path.slice(0, length));
    if (field && widgetOf(field) !== "section" && widgetOf(field) !== "json") return path.slice(0, length);
  }
  return path;
}

/** Sections that hold nearly everything of a block, and say nothing by that. */
const plainSections: ReadonlySet<unknown> = new Set(["options", "content"]);

/** What authors call a field, with the sections that it lies in. */
export function labelOf(schema: FieldSchema | undefined, path: Path): string {
  const titles = path.map((step, index) => {
    const title = schema && schemaAt(schema, path.slice(0, index + 1))?.title;
    return title ?? spoken(String(step));
  });
  const said = titles.length > 1 && plainSections.has(path[0]) ? titles.slice(1) : titles;
  return said.join(" › ");
}

function spoken(key: string): string {
  const words = key.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export type ValueWords = { readonly on: string; readonly off: string };

/** A value as a form's reader would say it. */
export function valueText(
  value: unknown,
  { schema, path, names, words }: { schema: FieldSchema | undefined; path: Path; names: Names; words: ValueWords },
): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? words.on : words.off;
  const field = schema && schemaAt(schema, path);
  const text = field ? said(field, value, names) : "";
  if (text !== "") return text;
  return typeof value === "string" || typeof value === "number" ? String(value) : plainText(value);
}

/** A list or an object that no schema knows. */
function plainText(value: unknown): string {
  const text = JSON.stringify(value, null, 1) ?? "";
  return text === "[]" || text === "{}" ? "" : text;
}

/** What ids of a flow stand for. */
export function namesIn(draft: { readonly groups: unknown; readonly variables: unknown }): Names {
  const find = (list: unknown, id: string, key: string) => {
    const entries: readonly unknown[] = Array.isArray(list) ? list : [];
    return textAt(
      entries.find((one) => textAt(one, "id") === id),
      key,
    );
  };
  return {
    variable: (id) => find(draft.variables, id, "name"),
    group: (id) => find(draft.groups, id, "title"),
    bot: () => undefined,
  };
}

/** A colour that a value is, to be shown beside it. */
export function colorIn(value: unknown): string | undefined {
  return typeof value === "string" && /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value) ? value : undefined;
}
