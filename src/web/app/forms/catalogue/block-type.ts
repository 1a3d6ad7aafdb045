import type { BlockStart } from "../../../../core/interpreter/schemas/block-start.ts";
import type { EditorFamily } from "../../../../core/interpreter/schemas/editor-families.ts";
import type { FormLayout } from "../../../../core/interpreter/schemas/form-layout.ts";
import type { FieldSchema } from "../schema.ts";

/** A type of block or event, as the service's catalogue has it. */
export type BlockType = {
  readonly type: string;
  readonly family: "bubble" | "input" | "logic" | "integration" | "event";
  readonly summary: string;
  readonly callsOut: boolean;
  /** Whether other systems that read the flow format do not support the type. */
  readonly isOwn: boolean;
  readonly schema: FieldSchema;
  readonly editor: {
    readonly name: string;
    readonly icon: string;
    /** Absent from a node of an earlier release. */
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

/** The schemas of a flow's parts that are not blocks. */
export type FlowSchemas = Readonly<Record<"theme" | "settings" | "event" | "variable" | "group" | "edge", FieldSchema>>;

/** A type of credentials, as the service's catalogue has it. */
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
