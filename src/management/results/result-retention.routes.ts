import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { nullable, resource } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { getRetention, setRetention } from "./result-retention.ts";

const operation = operationFor("Results");
const path = "/api/v1/bots/:botId/results/retention";

const RetentionSchema = resource(
  "ResultRetention",
  {
    days: nullable(
      Type.Integer({
        description: "Number of days from the start of a result. Null: results are kept until somebody deletes them.",
      }),
    ),
    outdatedResults: Type.Integer({
      description: `Older results, which the next run erases: ${limits.lists.searchedResults} means so many or more.`,
    }),
  },
  "The time for which a bot keeps its results.",
);
const example = { days: 90, outdatedResults: 12 };

export const resultRetentionOperations: readonly Operation[] = [
  operation({
    id: "getResultRetention",
    route: `GET ${path}`,
    summary: "Get the retention of a bot's results",
    answer: Type.Object({ retention: RetentionSchema }),
    answerExample: { retention: example },
    handle: async (deps, { caller, params }) => ({ retention: await getRetention(deps, caller, params.botId) }),
  }),
  operation({
    id: "setResultRetention",
    route: `PUT ${path}`,
    summary: "Set the retention of a bot's results",
    description:
      "Permanently erases older results within the hour, and from then on continuously: with their answers, files and chats, in the bin and outside of it. " +
      "Duplicates of the bot have the same retention; exported files of the bot have none.",
    body: Type.Object({
      days: nullable(
        Type.Integer({
          minimum: 1,
          maximum: limits.resultRetention.maxDays,
          description: "Number of days. Null: results are kept until somebody deletes them.",
        }),
      ),
    }),
    bodyExample: { days: 90 },
    answer: Type.Object({ retention: RetentionSchema }),
    answerExample: { retention: example },
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({
      retention: await setRetention(deps, caller, params.botId, body.days),
    }),
  }),
];
