import type { FieldMarks } from "../../../core/interpreter/schemas/field-marks.ts";

/** A JSON Schema in the form in which the service sends it for forms: see docs/block-catalogue.md. */
export type FieldSchema = FieldMarks & {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly isCode?: boolean;
  readonly isCondition?: boolean;
  readonly namesReadVariable?: boolean;
  readonly namesWrittenVariable?: boolean;
  /**
   * The labels of the words that the field accepts, where they differ: not from the service, see `spoken-catalogue.ts`.
   */
  readonly wordTitles?: Readonly<Record<string, string>>;
  /**
   * For a stored secret: its last characters, if they are shown. Not from the service: see
   * `screens/workspace/credentials-form.ts`.
   */
  readonly keptEnds?: string;
  /** For a condition: the operator between its comparisons. */
  readonly joiners?: { readonly AND: string; readonly OR: string };
};
