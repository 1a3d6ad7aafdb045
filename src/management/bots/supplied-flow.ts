import { Type } from "@sinclair/typebox";
import { FlowPartsSchema } from "../../core/flow/document.ts";
import { flowProperties } from "./schemas.ts";

const { events, groups, edges, variables, theme, settings } = flowProperties;

/**
 * A schema for the documentation. The service itself checks the flow, because it applies more rules than a schema can
 * express.
 */
export const SuppliedFlow = Type.Unknown({
  ...Type.Object({
    version: FlowPartsSchema.properties.version,
    id: Type.Optional(Type.String({ description: "Accepted from existing clients and ignored." })),
    events: Type.Optional(events),
    groups: Type.Optional(groups),
    edges: Type.Optional(edges),
    variables: Type.Optional(variables),
    theme: Type.Optional(theme),
    settings: Type.Optional(settings),
  }),
  $id: "SuppliedFlow",
  description: "A flow to run instead of the draft. Every part is optional.",
});
