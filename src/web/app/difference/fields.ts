import type { Path } from "../../../core/editing/changes/change.ts";
import { textAt } from "../../../core/interpreter/flow.ts";
import { type BlockType, type FieldSchema, type FlowSchemas, schemaAt, widgetOf } from "../forms/reading.ts";
import type { FieldAt, Fielded } from "./compare.ts";
import { spokenKey } from "./values.ts";

/** The catalogue's knowledge of a flow's parts; undefined while it is loading. */
export type Schemas = {
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly flow: FlowSchemas | undefined;
};

/** The schema of a thing; undefined if it has no description. */
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
 * The fields of these things as forms show them: a path within a text, a list or a condition belongs to the whole
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

/** Sections that contain nearly everything of a block, so that their names are left out. */
const plainSections: ReadonlySet<unknown> = new Set(["options", "content"]);

/** The author's name of a field, with the sections that contain the field. */
export function labelOf(schema: FieldSchema | undefined, path: Path): string {
  const titles = path.map((step, index) => {
    const title = schema && schemaAt(schema, path.slice(0, index + 1))?.title;
    return title ?? spokenKey(String(step));
  });
  const said = titles.length > 1 && plainSections.has(path[0]) ? titles.slice(1) : titles;
  return said.join(" › ");
}
