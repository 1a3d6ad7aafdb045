import { Type } from "@sinclair/typebox";

export const Id = Type.String();

/** A value that may be absent or null, which mean the same. */
export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** The position of a group or an event in an editor. */
export const GraphCoordinates = nullable(
  Type.Object(
    {
      x: Type.Optional(Type.Number({ description: "To the right." })),
      y: Type.Optional(Type.Number({ description: "Downwards." })),
    },
    { title: "Place", description: "Where an editor draws it.", widget: "kept" },
  ),
);
