import { Type } from "@sinclair/typebox";

/** What the parts of a flow have in common. */
export const Id = Type.String();

/** A value that may be absent or null, which is the same. */
export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** Where a group or an event stands in an editor. */
export const GraphCoordinates = nullable(
  Type.Object({ x: Type.Optional(Type.Number()), y: Type.Optional(Type.Number()) }),
);
