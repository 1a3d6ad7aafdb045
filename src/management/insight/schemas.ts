import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { nullable, oneOf, Timestamp } from "../../platform/http/schemas.ts";
import { steps } from "./series.ts";

const counted = (description: string) => Type.Integer({ description });

/** The fields about time in responses with counts. */
export const countedWindow = {
  asOf: nullable({
    ...Timestamp,
    description: "Time up to which events are counted; null before the first count.",
  }),
  from: nullable({ ...Timestamp, description: "Start of the window, rounded to a quarter of an hour." }),
  to: nullable({ ...Timestamp, description: "End of the window (exclusive); null if it is open." }),
};

export const windowBeforeFields = {
  from: { ...Timestamp, description: "Start of the previous window." },
  to: { ...Timestamp, description: "End of the previous window (exclusive)." },
};

export const totals = {
  views: counted("Number of results that started in the window, which are opened chats."),
  starts: counted("Number of results with an answer."),
  completions: counted("Number of complete results."),
  failedChats: counted("Number of results with an error."),
};

export const stepQuery = {
  step: Type.Optional({
    ...oneOf(steps),
    description: `Length of a point, in \`timeZone\`; weeks begin on Monday. Defaults to a length that suits the window. A series has at most ${limits.insight.points} points.`,
  }),
};

export const series = {
  step: { ...oneOf(steps), description: "Length of a point." },
  points: Type.Array(
    Type.Object({
      from: { ...Timestamp, description: "Start of the point." },
      to: { ...Timestamp, description: "End of the point (exclusive)." },
      ...totals,
    }),
    { description: "The points in chronological order, without gaps. Their sums are the totals of the window." },
  ),
};
