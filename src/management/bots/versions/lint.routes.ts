import { Type } from "@sinclair/typebox";
import { nullable } from "../../../platform/http/schemas.ts";
import { needsToken } from "../../operations/authentication.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { SuppliedFlow } from "../supplied-flow.ts";
import { FindingSchema, findingExample } from "./finding-schema.ts";
import { lintBot } from "./lint.ts";

const operation = operationFor<BotDependencies>("Publishing");

const count = (what: string) => Type.Integer({ minimum: 0, description: `Total number of ${what}.` });

export const lintOperations: readonly Operation[] = [
  operation({
    id: "lintBot",
    route: "POST /api/v1/bots/:botId/lint",
    auth: needsToken("read"),
    body: Type.Object({
      number: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 1,
            maximum: 999_999_999,
            description: "Number of the publication to check. Defaults to the draft.",
          }),
        ),
      ),
      bot: Type.Optional(SuppliedFlow),
    }),
    shows: true,
    answer: Type.Object({
      findings: Type.Array(FindingSchema, { description: "The findings, at most 1,000." }),
      errors: count("errors"),
      warnings: count("warnings"),
      infos: count("infos"),
      linkedFrom: nullable(
        Type.Array(
          Type.Object({
            groupId: Type.Union([Type.String(), Type.Null()], {
              description: "Id of the group that the link leads to; null for the start.",
            }),
          }),
          {
            description:
              "The links from other bots of the workspace to this bot, for an editor that runs the linter while its author types; null if no finding depends on them.",
          },
        ),
      ),
    }),
    answerExample: { findings: [findingExample], errors: 0, warnings: 1, infos: 0, linkedFrom: [] },
    errors: ["publication.not_found"],
    handle: async (deps, { caller, params, body, dialect }) =>
      lintBot(deps, caller, params.botId, {
        flow: body.bot ?? undefined,
        number: body.number ?? undefined,
        dialect,
      }),
  }),
];
