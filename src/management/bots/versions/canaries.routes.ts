import { Type } from "@sinclair/typebox";
import { exampleTime, nullable, oneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { type Canary, getCanary, promote, rollBack, setCanaryPercent } from "./moves/canaries.ts";
import { runningChatsPolicies } from "./moves/running-chats.ts";
import { CanaryPercent } from "./publications.routes.ts";

const operation = operationFor<BotDependencies>("Publishing");

const success = "success" as const;

const CanarySchema = Type.Unsafe<Canary>(
  Type.Object(
    {
      number: Type.Integer({ description: "Number of the canary version, on which some new chats start." }),
      percent: CanaryPercent,
      since: { ...Timestamp, description: "Time of publication." },
      currentNumber: Type.Integer({ description: "Number of the published version, on which all other chats start." }),
      figures: Type.Array(
        Type.Object({
          number: Type.Integer({ description: "The number of the version." }),
          isCanary: Type.Boolean({ description: "Whether the version is the canary." }),
          views: Type.Integer({ description: "Results that started on this version since the canary started." }),
          starts: Type.Integer({ description: "Number of results with an answer." }),
          completions: Type.Integer({ description: "Number of complete results." }),
        }),
        { description: "Statistics of the published version, and then of the canary." },
      ),
    },
    {
      $id: "Canary",
      description: "A version on which a share of new chats starts; the others start on the published version.",
    },
  ),
);

const canaryExample: Canary = {
  number: 4,
  percent: 10,
  since: exampleTime,
  currentNumber: 3,
  figures: [
    { number: 3, isCanary: false, views: 912, starts: 640, completions: 402 },
    { number: 4, isCanary: true, views: 101, starts: 77, completions: 61 },
  ],
};

const Done = Type.Object({
  message: Type.Literal(success),
  number: Type.Integer({ description: "The number of the canary version." }),
});

/** The operations on a canary: a second live version, created by publishing with `percent`. */
export const canaryOperations: readonly Operation[] = [
  operation({
    id: "getCanary",
    route: "GET /api/v1/bots/:botId/canary",
    answer: Type.Object({ canary: nullable(CanarySchema) }),
    answerExample: { canary: canaryExample },
    handle: async (deps, { caller, params }) => ({ canary: await getCanary(deps, caller, params.botId) }),
  }),
  operation({
    id: "updateCanary",
    route: "PATCH /api/v1/bots/:botId/canary",
    body: Type.Object({ percent: CanaryPercent }),
    answer: Type.Object({ canary: CanarySchema }),
    answerExample: { canary: canaryExample },
    errors: ["workspace.forbidden", "bot.archived", "canary.not_found"],
    handle: async (deps, { caller, params, body }) => ({
      canary: await setCanaryPercent(deps, caller, params.botId, { percent: body.percent }),
    }),
  }),
  operation({
    id: "promoteCanary",
    route: "POST /api/v1/bots/:botId/canary/promote",
    body: Type.Object({
      runningChats: Type.Optional(
        oneOf(runningChatsPolicies, {
          default: "finish",
          description:
            "Whether running chats `finish` on their version, or `move` to this version at the next input where that is possible.",
        }),
      ),
    }),
    answer: Done,
    answerExample: { message: success, number: 4 },
    errors: ["workspace.forbidden", "bot.archived", "canary.not_found"],
    handle: async (deps, { caller, params, body }) => ({
      message: success,
      number: await promote(deps, caller, params.botId, { runningChats: body.runningChats ?? "finish" }),
    }),
  }),
  operation({
    id: "rollBackCanary",
    route: "POST /api/v1/bots/:botId/canary/rollback",
    answer: Done,
    answerExample: { message: success, number: 4 },
    errors: ["workspace.forbidden", "bot.archived", "canary.not_found"],
    handle: async (deps, { caller, params }) => ({
      message: success,
      number: await rollBack(deps, caller, params.botId),
    }),
  }),
];
