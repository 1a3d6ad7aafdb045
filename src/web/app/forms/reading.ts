import "./icons.ts";

// The parts of block types and fields that screens read without drawing a form: the flow screen opens before the first
// form.
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
