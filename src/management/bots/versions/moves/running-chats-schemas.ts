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
      chats: Type.Integer({ description: "Number of running chats with visitors." }),
      moving: Type.Integer({ description: "Number of chats that would move at their open input." }),
      staying: Type.Integer({
        description: "Number of chats that would continue on their version until an input at which they can move.",
      }),
      isComplete: Type.Boolean({ description: "False if more chats are running than were examined." }),
      places: Type.Array(
        Type.Object({
          publicationNumber: Type.Integer({ description: "The version of these chats." }),
          blockId: nullable(Type.String({ description: "Id of the open input; null before the first input." })),
          chats: Type.Integer({ description: "Number of chats that wait at this input." }),
          obstacle: nullable({
            ...oneOf(obstacleNames),
            description: "The obstacle that keeps the chats on their version; null if they move.",
          }),
          message: nullable(Type.String({ description: "The obstacle, in one sentence." })),
        }),
        { description: "Inputs at which chats wait, sorted by number of chats, highest first." },
      ),
    },
    { description: "The effect of publishing on running chats." },
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
      message: "The version does not have its open input.",
    },
  ],
};
