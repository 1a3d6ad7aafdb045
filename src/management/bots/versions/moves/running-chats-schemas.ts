import { Type } from "@sinclair/typebox";
import { nullable, oneOf } from "../../../../platform/http/schemas.ts";
import type { MoveForecast } from "./running-chats.ts";

const obstacleNames = [
  "not_asking",
  "linked_flow",
  "input_removed",
  "input_in_other_group",
  "input_changed",
  "way_back_removed",
  "variable_removed",
] as const satisfies readonly MoveForecast["places"][number]["obstacle"][];

export const ForecastSchema = Type.Unsafe<MoveForecast>(
  Type.Object(
    {
      chats: Type.Integer({ description: "Chats with visitors that run now." }),
      moving: Type.Integer({ description: "Those that would move at their open input." }),
      staying: Type.Integer({ description: "Those that would go on as they are, until an input where they can move." }),
      isComplete: Type.Boolean({ description: "False where more chats run than were looked at." }),
      places: Type.Array(
        Type.Object({
          publicationNumber: Type.Integer({ description: "The version that they run on." }),
          blockId: nullable(Type.String({ description: "The input that is open; null before the first." })),
          chats: Type.Integer({ description: "How many wait there." }),
          obstacle: nullable({
            ...oneOf(obstacleNames),
            description: "What keeps them on their version; null: they move.",
          }),
          message: nullable(Type.String({ description: "The obstacle as a sentence." })),
        }),
        { description: "Where they wait, most chats first." },
      ),
    },
    { description: "What publishing would do to the chats that run." },
  ),
);

export const forecastExample: MoveForecast = {
  chats: 12,
  moving: 11,
  staying: 1,
  isComplete: true,
  places: [
    { publicationNumber: 1, blockId: "name", chats: 11, obstacle: null, message: null },
    {
      publicationNumber: 1,
      blockId: "age",
      chats: 1,
      obstacle: "input_removed",
      message: "Its open input is not there.",
    },
  ],
};
