import { type Static, Type } from "@sinclair/typebox";
import { GraphCoordinates, Id, nullable, VariableSchema } from "../interpreter/schemas/envelope.ts";
import { EventSchema } from "../interpreter/schemas/events.ts";

const JsonMap = Type.Record(Type.String(), Type.Unknown());

export const flowVersions = ["3", "4", "5", "6", "6.1"] as const;

export const ItemSchema = Type.Object({ id: Id, outgoingEdgeId: nullable(Type.String()) });

/** The documentation also contains the parts of each block type: see `management/operations/block-schemas.ts`. */
const BlockSchema = Type.Object(
  { id: Id, type: Type.String(), outgoingEdgeId: nullable(Type.String()) },
  { $id: "Block" },
);

export const GroupSchema = Type.Object(
  {
    id: Type.String({ title: "Id", description: "Id of the group, unique in the flow.", widget: "kept" }),
    title: nullable(Type.String({ description: "Title of the group in the editor." })),
    graphCoordinates: GraphCoordinates,
    blocks: nullable(
      Type.Array(BlockSchema, {
        description: "The blocks of the group, in the order in which they run.",
        widget: "kept",
      }),
    ),
  },
  { $id: "Group", description: "A list of blocks that run in order, until one of them follows an edge." },
);

export const EdgeSchema = Type.Object(
  {
    id: Type.String({ title: "Id", description: "Id of the edge, unique in the flow.", widget: "kept" }),
    from: nullable(
      Type.Object(
        {
          blockId: nullable(Type.String({ description: "Id of the block that the edge leaves." })),
          itemId: nullable(Type.String({ description: "Id of the item, if the edge leaves an item." })),
          pathId: nullable(Type.String({ description: "Id of the button of the card, if the edge leaves a button." })),
          eventId: nullable(Type.String({ description: "Id of the event that the edge leaves, instead of a block." })),
        },
        { description: "Source of the edge.", widget: "kept" },
      ),
    ),
    to: nullable(
      Type.Object(
        {
          groupId: nullable(Type.String({ description: "Id of the group that the edge leads to." })),
          blockId: nullable(
            Type.String({ description: "Id of the target block in the group. Defaults to the group's first block." }),
          ),
        },
        { description: "Target of the edge.", widget: "kept" },
      ),
    ),
  },
  {
    $id: "Edge",
    description:
      "A connection from a block, an item or an event to a group. An edge without a target is kept, and reported.",
  },
);

/** Descriptions of a flow's lists for the documentation. */
export const flowWords = {
  events: "The events of the flow: the start of a chat, commands and replies. Null in flows of versions 3 to 5.",
  groups: "The groups, which contain the blocks.",
  edges: "The edges between groups.",
  variables: "The variables of the flow.",
} as const;

/**
 * The parts of a flow, which are checked on every write. Each part may be sent without the others. Only ids, and the
 * keys that determine how a part is read, are required.
 */
export const FlowPartsSchema = Type.Object({
  version: nullable(
    Type.Union(
      flowVersions.map((version) => Type.Literal(version)),
      { description: "Version of the flow's format." },
    ),
  ),
  events: nullable(Type.Array(EventSchema, { description: flowWords.events })),
  groups: Type.Optional(Type.Array(GroupSchema, { description: flowWords.groups })),
  edges: Type.Optional(Type.Array(EdgeSchema, { description: flowWords.edges })),
  variables: Type.Optional(Type.Array(VariableSchema, { description: flowWords.variables })),
  theme: Type.Optional(JsonMap),
  settings: Type.Optional(JsonMap),
});

export type FlowVersion = (typeof flowVersions)[number];
export type FlowParts = Static<typeof FlowPartsSchema>;
export type StoredGroup = Static<typeof GroupSchema>;
export type StoredBlock = Static<typeof BlockSchema>;
export type StoredEdge = Static<typeof EdgeSchema>;
export type StoredEvent = Static<typeof EventSchema>;
export type StoredVariable = Static<typeof VariableSchema>;
type StoredTheme = Static<typeof JsonMap>;
export type StoredSettings = Static<typeof JsonMap>;

/** A complete flow, such as a bot's draft or a publication. */
export type StoredFlow = {
  readonly version: FlowVersion;
  readonly events: StoredEvent[] | null;
  readonly groups: StoredGroup[];
  readonly edges: StoredEdge[];
  readonly variables: StoredVariable[];
  readonly theme: StoredTheme;
  readonly settings: StoredSettings;
};
