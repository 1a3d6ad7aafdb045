import "./icons.ts";

// Exports the functions for block types and fields that do not render a form. The flow screen needs them before the
// first form is loaded.
export {
  type BlockType,
  type CredentialType,
  type FlowSchemas,
  loadBlockTypes,
  useBlockTypes,
  useCredentialTypes,
  useFlowSchemas,
} from "./catalogue/block-types.ts";
export { sectionOf, wordTitle } from "./catalogue/field-words.ts";
export type { FormContext, FormGroup, FoundOptions, ModelNames, OnSet } from "./contract.ts";
export { type Names, rowText, said } from "./row.ts";
export type { FieldSchema } from "./schema.ts";
export { commonOf } from "./several.ts";
export { type Path, schemaAt, titleAt, valueAt } from "./values.ts";
export { widgetOf } from "./widget-of.ts";
