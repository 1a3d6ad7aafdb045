import type { Path } from "../../../core/editing/changes/change.ts";
import { textAt } from "../../../core/interpreter/flow.ts";
import { type BlockType, type FieldSchema, type FlowSchemas, schemaAt, widgetOf } from "../forms/reading.ts";
import type { FieldAt, Fielded } from "./compare.ts";
import { spokenKey } from "./values.ts";

/** The descriptions of a flow's parts from the catalogue; undefined while the catalogue is loading. */
export type Schemas = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly flow: FlowSchemas | undefined;
};

/** Returns the schema of an object; undefined if the catalogue does not describe the object. */
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

/**
 * Returns a function that maps a path to its form field. A path within a text, a list or a condition maps to the whole
 * field.
 */
export function fieldsBy(schemas: Schemas): FieldAt {
  return (thing, path) =>
    thing.of === "note" || thing.of === "frame" ? path.slice(0, 1) : fieldIn(schemaOf(thing, schemas), path);
}

function fieldIn(schema: FieldSchema | undefined, path: Path): Path {
  for (let length = 1; length <= path.length; length++) {
    if (typeof path[length] === "number") return path.slice(0, length);
    const field = schema && schemaAt(schema, path.slice(0, length));
    if (field && widgetOf(field) !== "section" && widgetOf(field) !== "json") return path.slice(0, length);
  }
  return path;
}

/** The sections that contain nearly all fields of a block. Their names are omitted from labels. */
const plainSections: ReadonlySet<unknown> = new Set(["options", "content"]);

/** Returns the label of a field, preceded by the titles of its sections. */
export function labelOf(schema: FieldSchema | undefined, path: Path): string {
  const titles = path.map((step, index) => {
    const title = schema && schemaAt(schema, path.slice(0, index + 1))?.title;
    return title ?? spokenKey(String(step));
  });
  const said = titles.length > 1 && plainSections.has(path[0]) ? titles.slice(1) : titles;
  return said.join(" › ");
}
