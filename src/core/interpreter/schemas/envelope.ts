import { Type } from "@sinclair/typebox";

export const Id = Type.String();

/** Defines a value that may be absent or null, with the same meaning. */
export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** The position of a group or event in an editor. */
export const GraphCoordinates = nullable(
  Type.Object(
    {
      x: Type.Optional(Type.Number({ description: "To the right." })),
      y: Type.Optional(Type.Number({ description: "Downwards." })),
    },
    { title: "Place", description: "Position in the editor.", widget: "kept" },
  ),
);

export const VariableSchema = Type.Object(
  {
    id: Type.String({ title: "Id", description: "Id, unique among the variables of the flow.", widget: "kept" }),
    name: Type.String({ description: "Name, by which texts insert the variable: `{{name}}`." }),
    isSessionVariable: nullable(
      Type.Boolean({ title: "Leave out of results", description: "Whether results exclude the variable." }),
    ),
    isPrefillable: nullable(
      Type.Boolean({
        title: "May be prefilled",
        description: "Whether a start's `prefilledVariables` and the page's address may set it. Absent: yes.",
        help: "The address of the page can set it.",
      }),
    ),
    value: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Null()])), Type.Null()], {
        title: "Start value",
        description: "Initial value in a chat.",
        widget: "startValue",
      }),
    ),
  },
  { $id: "Variable", description: "A variable of a flow." },
);
