import { Type } from "@sinclair/typebox";
import { nullable } from "./envelope.ts";

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
