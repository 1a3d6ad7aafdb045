import type { FlowBlock } from "../flow.ts";
import type { BlockStart } from "../schemas/block-start.ts";
import type { EditorFamily } from "../schemas/editor-families.ts";
import type { FormLayout } from "../schemas/form-layout.ts";

/** The presentation of a block type in editors. Chats never read this data. */
export type BlockEditor = {
  /** The display name of the type for authors. */
  readonly name: string;
  /** The name of a Lucide icon. */
  readonly icon: string;
  /** The purpose of the type for authors, if it differs from the usual purpose of the type's `BlockFamily`. */
  readonly family?: EditorFamily;
  /** Additional search terms for the type. */
  readonly words: readonly string[];
  /**
   * Candidates for the block's summary line. The first text whose paths all have a value is used. `{options.url}` is
   * replaced with the value at that path or the field's default. Ids of variables and groups are replaced with names,
   * and rich text with plain text.
   */
  readonly row: readonly string[];
  /**
   * The rows of the block's form. Fields that are not listed follow, collapsed. If absent, the form is derived from the
   * schema.
   */
  readonly form?: FormLayout;
  /** The initial contents of a new block. Absent if a new block is empty. */
  readonly start?: BlockStart;
  /** The name for the block's items if they have no titles of their own. Defaults to "options". */
  readonly items?: "branches";
  /** Types to which the block can be converted. Fields that both types define are kept. */
  readonly related: readonly string[];
};

/** A worked example that is printed in the documentation of blocks and run as a test. */
export type BlockExample = {
  /** A sentence that describes the example. */
  readonly title: string;
  readonly block: Omit<FlowBlock, "id" | "type"> & { readonly id?: string };
  /** Values by variable name. The variable `Name` has the id `v_Name`. */
  readonly variables?: Readonly<Record<string, string | (string | null)[] | null>>;
  /** The visitor's reply if the block waits for a reply. */
  readonly reply?: string;
  readonly expect: BlockExpectation;
};

export type BlockExpectation = {
  readonly messages?: readonly unknown[];
  readonly actions?: readonly unknown[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string | (string | null)[] | null>>;
  /** The stored answer, or null if the reply is rejected. */
  readonly answer?: string | null;
};
