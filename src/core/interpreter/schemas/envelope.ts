import { Type } from "@sinclair/typebox";

export const Id = Type.String();

/** Defines a value that may be absent or null. Both have the same meaning. */
export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** The position of a group or event in an editor. */
export const GraphCoordinates = nullable(
  Type.Object(
    {
      x: Type.Optional(Type.Number({ description: "Horizontal position, increasing to the right." })),
      y: Type.Optional(Type.Number({ description: "Vertical position, increasing downwards." })),
    },
    { title: "Place", description: "Position in the editor.", widget: "kept" },
  ),
);

export const VariableSchema = Type.Object(
  {
    id: Type.String({ title: "Id", description: "Id of the variable, unique in the flow.", widget: "kept" }),
    name: Type.String({ description: "Name of the variable, which texts use to insert its value: `{{name}}`." }),
    isSessionVariable: nullable(
      Type.Boolean({ title: "Leave out of results", description: "Whether results omit the variable." }),
    ),
    isPrefillable: nullable(
      Type.Boolean({
        title: "Can be prefilled",
        description:
          "Whether a start's `prefilledVariables` and the page's address may set the variable. Defaults to true.",
        help: "The page's address can set it.",
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
