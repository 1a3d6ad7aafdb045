import type { FlowBlock } from "../flow.ts";
import type { BlockStart } from "../schemas/block-start.ts";
import type { EditorFamily } from "../schemas/editor-families.ts";
import type { FormLayout } from "../schemas/form-layout.ts";

/** How editors show a block type: data that chats never read. */
export type BlockEditor = {
  /** The type's name for authors. */
  readonly name: string;
  /** Name of an icon of Lucide. */
  readonly icon: string;
  /** The shape, if it differs from the one of the type's `BlockFamily`. */
  readonly family?: EditorFamily;
  /** Further words by which authors may search for the type. */
  readonly words: readonly string[];
  /**
   * The block's line: the first of these texts whose paths all lead to a value. `{options.url}` becomes the value at
   * that path, or the field's default; the id of a variable or a group becomes its name, rich text its plain words.
   */
  readonly row: readonly string[];
  /**
   * The rows of the block's form. Fields that they do not name follow them, folded; absent: the form is derived from
   * the schema.
   */
  readonly form?: FormLayout;
  /** The contents of a new block; absent: none. */
  readonly start?: BlockStart;
  /** The name of the block's items if they have no title of their own; absent: options. */
  readonly items?: "branches";
  /** Types that the block can be converted to; fields that both types have are kept. */
  readonly related: readonly string[];
};

/** A worked example: printed in the documentation of blocks and run as a test. */
export type BlockExample = {
  /** A sentence that explains the example. */
  readonly title: string;
  readonly block: Omit<FlowBlock, "id" | "type"> & { readonly id?: string };
  /** Values by name; the variable `Name` has the id `v_Name`. */
  readonly variables?: Readonly<Record<string, string | (string | null)[] | null>>;
  /** The visitor's reply, if the block waits for one. */
  readonly reply?: string;
  readonly expect: BlockExpectation;
};

export type BlockExpectation = {
  readonly messages?: readonly unknown[];
  readonly actions?: readonly unknown[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string | (string | null)[] | null>>;
  /** The stored answer; null if the reply is refused. */
  readonly answer?: string | null;
};
