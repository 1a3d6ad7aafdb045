import { blocks } from "../../core/blocks/index.ts";
import { EdgeSchema, GroupSchema } from "../../core/flow/document.ts";
import { eventTypes } from "../../core/flow/event-types.ts";
import { formSchema } from "../../core/flow/field-titles.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import type { BlockFamily } from "../../core/interpreter/program/block.ts";
import type { BlockEditor, BlockExample } from "../../core/interpreter/program/block-editor.ts";
import type { EditorFamily } from "../../core/interpreter/schemas/editor-families.ts";
import { VariableSchema } from "../../core/interpreter/schemas/envelope.ts";
import { EventOptionsSchema, EventSchema } from "../../core/interpreter/schemas/events.ts";
import { SettingsSchema } from "../../core/interpreter/schemas/settings.ts";
import { ThemeSchema } from "../../core/interpreter/schemas/theme.ts";

/** A type of block or event, with the data that an editor needs for its palette and its forms. */
export type BlockType = {
  readonly type: string;
  readonly family: BlockFamily | "event";
  readonly summary: string;
  /** Whether the block calls a service within its step, so that an author can try the call. */
  readonly callsOut: boolean;
  /** Whether this is an input that exists only in Parley. */
  readonly isOwn: boolean;
  /**
   * JSON Schema of the type's stored fields except `id`, `type` and `outgoingEdgeId`, with titles and hints for
   * editors.
   */
  readonly schema: JsonObject;
  readonly editor: BlockEditor & { readonly family: EditorFamily };
  readonly examples: readonly BlockExample[];
};

/** The schemas for the forms of the parts of a flow that are not blocks. */
export type FlowSchemas = Readonly<Record<"theme" | "settings" | "event" | "variable" | "group" | "edge", JsonObject>>;

/** The editor's family of each block family, for types that do not define their own. */
const editorFamilyOf: Readonly<Record<BlockFamily, EditorFamily>> = {
  bubble: "says",
  input: "asks",
  logic: "decides",
  integration: "connects",
};

let knownTypes: readonly BlockType[] | undefined;
let knownSchemas: FlowSchemas | undefined;

/**
 * Returns all types that the service supports, in the order of a palette: bubbles, inputs, logic, integrations, events.
 * Creates the list on first use.
 */
export function listBlockTypes(): readonly BlockType[] {
  knownTypes ??= [
    ...[...blocks.values()].map(({ type, family, summary, schema, editor, examples, callsOut, input }) => ({
      type,
      family,
      summary,
      callsOut: callsOut !== undefined,
      isOwn: input?.asKnown !== undefined,
      schema: formSchema(schema),
      editor: { family: editorFamilyOf[family], ...editor },
      examples,
    })),
    ...eventTypes.map(({ type, summary, schema, editor }) => ({
      type,
      family: "event" as const,
      summary,
      callsOut: false,
      isOwn: false,
      schema: formSchema(schema),
      editor: { family: "events" as const, ...editor },
      examples: [],
    })),
  ];
  return knownTypes;
}

/** Returns the schemas with the field names that `/api/v1/bots` uses. */
export function getFlowSchemas(): FlowSchemas {
  knownSchemas ??= {
    theme: formSchema(ThemeSchema),
    settings: formSchema(ownSettings()),
    event: formSchema({
      ...EventSchema,
      properties: { ...EventSchema.properties, options: EventOptionsSchema },
    }),
    variable: formSchema(VariableSchema),
    group: formSchema(GroupSchema),
    edge: formSchema(EdgeSchema),
  };
  return knownSchemas;
}

/** Returns the schema of settings without the names that only existing clients use. */
function ownSettings(): object {
  const { whatsApp: _, metadata, ...properties } = SettingsSchema.properties;
  const { googleTagManagerId: __, ...own } = metadata.properties;
  return { ...SettingsSchema, properties: { ...properties, metadata: { ...metadata, properties: own } } };
}
