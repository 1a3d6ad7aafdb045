import type { FieldMarks } from "../../../core/interpreter/schemas/field-marks.ts";

/** A JSON Schema with additional members for forms, as the service sends it. See docs/block-catalogue.md. */
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
   * Labels by keyword. A keyword without an entry is its own label. The service sends only labels that are the same in
   * every language. `spoken-catalogue.ts` adds the translated ones.
   */
  readonly wordTitles?: Readonly<Record<string, string>>;
  /**
   * The last characters of a stored secret, if they may be shown. Set by `credentials/credentials-form.ts`, not by the
   * service.
   */
  readonly keptEnds?: string;
  /** The labels of the operators between the comparisons of a condition. */
  readonly joiners?: { readonly AND: string; readonly OR: string };
};
