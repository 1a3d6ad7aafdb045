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

/** A variable of a flow. */
export const VariableSchema = Type.Object(
  {
    id: Type.String({ title: "Id", description: "Its id, unique among the variables of the flow.", widget: "kept" }),
    name: Type.String({ description: "What texts insert it by: `{{name}}`." }),
    isSessionVariable: nullable(
      Type.Boolean({ title: "Leave out of results", description: "Whether results leave it out." }),
    ),
    value: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Null()])), Type.Null()], {
        title: "Start value",
        description: "What it holds when a chat begins.",
        widget: "startValue",
      }),
    ),
  },
  { $id: "Variable", description: "A variable of a flow." },
);
