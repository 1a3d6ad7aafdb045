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
      number: Type.Integer({ description: "The version that some new chats begin on." }),
      percent: CanaryPercent,
      since: { ...Timestamp, description: "When it was published." },
      currentNumber: Type.Integer({ description: "The version that the others begin on." }),
      figures: Type.Array(
        Type.Object({
          number: Type.Integer({ description: "The number of the version." }),
          isCanary: Type.Boolean({ description: "Whether it is the canary." }),
          views: Type.Integer({ description: "Results that began on this version since the canary runs." }),
          starts: Type.Integer({ description: "Those with an answer." }),
          completions: Type.Integer({ description: "Those that came to an end." }),
        }),
        { description: "The version that visitors meet, then the canary." },
      ),
    },
    { $id: "Canary", description: "A version that a share of new chats begins on, beside what visitors meet." },
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

const Done = Type.Object({ message: Type.Literal(success), number: Type.Integer({ description: "The canary's." }) });

/** A version beside the published one, created by publishing with `percent`. */
export const canaryOperations: readonly Operation[] = [
  operation({
    id: "getCanary",
    route: "GET /api/v1/bots/:botId/canary",
    summary: "Get the canary of a bot, with both versions' figures",
    description:
      "The version that `percent` of new chats begin on, made by publishing with `percent`. Null while none runs.",
    answer: Type.Object({ canary: nullable(CanarySchema) }),
    answerExample: { canary: canaryExample },
    handle: async (deps, { caller, params }) => ({ canary: await getCanary(deps, caller, params.botId) }),
  }),
  operation({
    id: "updateCanary",
    route: "PATCH /api/v1/bots/:botId/canary",
    summary: "Change the canary's share of new chats",
    description: "Visitors who would start on it with a smaller share also do with a larger one.",
    body: Type.Object({ percent: CanaryPercent }),
    bodyExample: { percent: 50 },
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
    summary: "Promote the canary to all visitors",
    description: "It keeps its number. Chats that run on other versions finish there, or move with `runningChats`.",
    body: Type.Object({
      runningChats: Type.Optional(
        oneOf(runningChatsPolicies, {
          default: "finish",
          description:
            "Chats that run `finish` on their version, or `move` to this one at the next input where they can.",
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
    summary: "Roll back the canary",
    description:
      "New chats begin on what visitors meet. Those that began on the canary go on there; its version stays in the history.",
    answer: Done,
    answerExample: { message: success, number: 4 },
    errors: ["workspace.forbidden", "bot.archived", "canary.not_found"],
    handle: async (deps, { caller, params }) => ({
      message: success,
      number: await rollBack(deps, caller, params.botId),
    }),
  }),
];
