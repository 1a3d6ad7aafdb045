import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { idPath, nullable, resource } from "../../platform/http/schemas.ts";
import { needsToken } from "../operations/authentication.ts";
import { type Operation, operation } from "../operations/operation.ts";
import { getRetention, setRetention } from "./result-retention.ts";

const tag = "Results";
const path = "/api/v1/bots/:botId/results/retention";
const BotPath = Type.Object({ botId: idPath("bot.not_found") });

const RetentionSchema = resource(
  "ResultRetention",
  {
    days: nullable(Type.Integer({ description: "Counted from when a result began. Null: until somebody deletes it." })),
    outdatedResults: Type.Integer({
      description: `Results that are older, and are erased by the next run: ${limits.lists.searchedResults} means so many or more.`,
    }),
  },
  "For how long a bot keeps its results.",
);
const example = { days: 90, outdatedResults: 12 };

export const resultRetentionOperations: readonly Operation[] = [
  operation({
    id: "getResultRetention",
    method: "GET",
    path,
    tag,
    summary: "Get for how long a bot keeps results",
    auth: needsToken("read"),
    params: BotPath,
    answer: Type.Object({ retention: RetentionSchema }),
    answerExample: { retention: example },
    errors: ["workspace.suspended"],
    handle: async (deps, { caller, params }) => ({ retention: await getRetention(deps, caller, params.botId) }),
  }),
  operation({
    id: "setResultRetention",
    method: "PUT",
    path,
    tag,
    summary: "Say for how long a bot keeps results",
    description:
      "Older results are erased within the hour and from then on as they come of age: with their answers, files and chats, past the bin and out of it, " +
      "for good. Duplicates of the bot have the same retention; a file of the bot has none.",
    auth: needsToken("write"),
    params: BotPath,
    body: Type.Object({
      days: nullable(
        Type.Integer({
          minimum: 1,
          maximum: limits.resultRetention.maxDays,
          description: "Null: until somebody deletes them.",
        }),
      ),
    }),
    bodyExample: { days: 90 },
    answer: Type.Object({ retention: RetentionSchema }),
    answerExample: { retention: example },
    errors: ["workspace.suspended", "workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({
      retention: await setRetention(deps, caller, params.botId, body.days),
    }),
  }),
];
