import "./icons.ts";

export { type BlockType, type FlowSchemas, loadBlockTypes, useBlockTypes, useFlowSchemas } from "./block-types.ts";
export type { FormContext, FormGroup, OnSet, WidgetProps } from "./contract.ts";
export { wordTitle } from "./field-words.ts";
export { Form, type FormProps } from "./form.tsx";
export { JsonForm } from "./json-form.tsx";
export { type Names, rowText, said } from "./row.ts";
export type { FieldSchema } from "./schema.ts";
export { commonOf } from "./several.ts";
export { type Path, schemaAt, titleAt, valueAt } from "./values.ts";
export { type WidgetName, widgetOf } from "./widget-of.ts";
