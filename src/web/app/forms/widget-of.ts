import type { Widget } from "../../../core/interpreter/schemas/field-marks.ts";
import type { FormWidget } from "../../../core/interpreter/schemas/form-layout.ts";
import type { FieldSchema } from "./schema.ts";

/** The name of a widget. The schema sets it, or it follows from the type of the field. */
export type WidgetName =
  | Widget
  | FormWidget
  | "condition"
  | "list"
  | "number"
  | "numberOrVariable"
  | "section"
  | "switch"
  | "text"
  /** An object that contains the id of an edge. */
  | "wayOut"
  /** For values without a schema, such as unknown keys and blocks that the service does not support. */
  | "json";

export function widgetOf(schema: FieldSchema): WidgetName {
  if (schema.widget) return schema.widget;
  if (schema.namesReadVariable || schema.namesWrittenVariable) return "variable";
  if (schema.isCode) return "code";
  if (schema.isCondition) return "condition";
  if (schema.anyOf) return widgetOfChoices(schema.anyOf);
  switch (schema.type) {
    case "boolean":
      return "switch";
    case "number":
    case "integer":
      return "number";
    case "string":
      return "text";
    case "array":
      return schema.items?.type === "string" ? "texts" : schema.items?.properties ? "list" : "json";
    case "object":
      if (schema.properties?.["outgoingEdgeId"]) return "wayOut";
      return schema.properties ? "section" : "json";
    default:
      return "json";
  }
}

function widgetOfChoices(choices: readonly FieldSchema[]): WidgetName {
  if (choices.every((choice) => choice.const !== undefined)) return "choice";
  const types = new Set(choices.map(({ type }) => type));
  return types.size === 2 && types.has("number") && types.has("string") ? "numberOrVariable" : "json";
}
