import { type Static, Type } from "@sinclair/typebox";
import { GraphCoordinates, Id, nullable } from "./schemas/envelope.ts";
import { EventSchema } from "./schemas/events.ts";
import { VariableSchema } from "./schemas/variables.ts";

/**
 * The envelope of a flow document, as it is checked when it is written. Only ids, and what decides how a part is read, are required;
 * unknown keys are kept.
 */
const JsonMap = Type.Record(Type.String(), Type.Unknown());

export const flowVersions = ["3", "4", "5", "6", "6.1"] as const;

export const ItemSchema = Type.Object({ id: Id, outgoingEdgeId: nullable(Type.String()) });

const BlockSchema = Type.Object({ id: Id, type: Type.String(), outgoingEdgeId: nullable(Type.String()) });

export const GroupSchema = Type.Object({
  id: Id,
  title: nullable(Type.String()),
  graphCoordinates: GraphCoordinates,
  blocks: nullable(Type.Array(BlockSchema)),
});

export const EdgeSchema = Type.Object({
  id: Id,
  from: nullable(
    Type.Object({
      blockId: nullable(Type.String()),
      itemId: nullable(Type.String()),
      pathId: nullable(Type.String()),
      eventId: nullable(Type.String()),
    }),
  ),
  to: nullable(Type.Object({ groupId: nullable(Type.String()), blockId: nullable(Type.String()) })),
});

/** The parts of a flow, each of which may be written alone. */
export const FlowPartsSchema = Type.Object({
  version: nullable(Type.Union(flowVersions.map((version) => Type.Literal(version)))),
  events: nullable(Type.Array(EventSchema)),
  groups: Type.Optional(Type.Array(GroupSchema)),
  edges: Type.Optional(Type.Array(EdgeSchema)),
  variables: Type.Optional(Type.Array(VariableSchema)),
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

/** A whole flow: a bot's draft, a publication, or what a preview was given. */
export type StoredFlow = {
  readonly version: FlowVersion;
  readonly events: StoredEvent[] | null;
  readonly groups: StoredGroup[];
  readonly edges: StoredEdge[];
  readonly variables: StoredVariable[];
  readonly theme: StoredTheme;
  readonly settings: StoredSettings;
};
