import type { BlockStart } from "../../../../core/interpreter/schemas/block-start.ts";
import type { EditorFamily } from "../../../../core/interpreter/schemas/editor-families.ts";
import type { FormLayout } from "../../../../core/interpreter/schemas/form-layout.ts";
import type { FieldSchema } from "../schema.ts";

/** A type of block or event from the service's catalogue. */
export type BlockType = {
  readonly type: string;
  readonly family: "bubble" | "input" | "logic" | "integration" | "event";
  readonly summary: string;
  readonly callsOut: boolean;
  /** Whether the type is specific to Parley, so that other systems with the same flow format do not support it. */
  readonly isOwn: boolean;
  readonly schema: FieldSchema;
  readonly editor: {
    readonly name: string;
    readonly icon: string;
    /** Absent if the node runs an earlier release. */
    readonly family?: EditorFamily;
    readonly words: readonly string[];
    readonly row: readonly string[];
    readonly form?: FormLayout;
    readonly items?: "branches";
    readonly start?: BlockStart;
    readonly related: readonly string[];
  };
  readonly examples: readonly {
    readonly title: string;
    readonly block: { readonly [key: string]: unknown };
    readonly variables?: { readonly [key: string]: unknown };
    readonly reply?: string;
    readonly expect: { readonly [key: string]: unknown };
  }[];
};

/** The schemas of the parts of a flow other than blocks. */
export type FlowSchemas = Readonly<Record<"theme" | "settings" | "event" | "variable" | "group" | "edge", FieldSchema>>;

/** A type of credentials from the service's catalogue. */
export type CredentialType = {
  readonly type: string;
  readonly name: string;
  readonly summary: string;
  readonly page: string;
  readonly schema: FieldSchema & { readonly required?: readonly string[] };
  readonly secretMembers: readonly string[];
  readonly connects: "google" | null;
  readonly isTestable: boolean;
};
