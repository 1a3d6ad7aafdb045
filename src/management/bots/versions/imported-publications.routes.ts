import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import {
  described,
  exampleId,
  exampleTime,
  IdInput,
  nullable,
  TimestampInput,
} from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { botBodyExample, importedBotProperties } from "../schemas.ts";
import { bringPublication, resume } from "./imported-publications.ts";
import { CanaryPercent, PublicationPath } from "./publications.routes.ts";

const operation = operationFor<BotDependencies>("Publishing");

const VersionNumber = Type.Integer({ minimum: 1, maximum: 999_999_999, description: "Number of the version." });

/** Operations that import the version history of a bot from another service. */
export const importedPublicationOperations: readonly Operation[] = [
  operation({
    id: "importPublication",
    route: "POST /api/v1/bots/:botId/publications/import",
    body: Type.Object({
      number: VersionNumber,
      createdAt: described(TimestampInput, "Time of the publication."),
      publishedBy: Type.Optional(
        nullable({
          ...IdInput,
          description: "Id of the user who published it. Kept only if the user is a member of the workspace.",
        }),
      ),
      note: Type.Optional(
        nullable(
          Type.String({ maxLength: limits.fields.noteCharacters, description: "A note for the version history." }),
        ),
      ),
      isDraft: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether the version is a previous draft that a restore replaced.",
        }),
      ),
      overruledRules: Type.Optional(
        Type.Array(Type.String({ maxLength: limits.fields.nameCharacters }), {
          maxItems: limits.flow.warnings,
          description: "Names of the rules whose errors were overridden.",
        }),
      ),
      bot: Type.Object(importedBotProperties, { description: "The flow of the version; other parts are ignored." }),
      enableSafetyFlags: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether to mark client-side code as unsafe. Set this for files from other people.",
        }),
      ),
    }),
    bodyExample: { number: 3, createdAt: exampleTime, publishedBy: exampleId, note: "Spring", bot: botBodyExample },
    answer: Type.Object({ isNew: Type.Boolean({ description: "False if the bot already had this version." }) }),
    errors: ["workspace.forbidden", "bot.archived", "publication.number_taken"],
    handle: async (deps, { caller, params, body }) => bringPublication(deps, caller, params.botId, body),
  }),
  operation({
    id: "resumePublication",
    route: "POST /api/v1/bots/:botId/publications/:number/resume",
    params: PublicationPath,
    body: Type.Object({
      canary: Type.Optional(
        nullable(
          Type.Object(
            { number: VersionNumber, percent: CanaryPercent },
            { description: "A second version that gets a share of new chats." },
          ),
        ),
      ),
    }),
    answer: Type.Object({
      number: Type.Integer(),
      publicId: Type.String(),
    }),
    errors: ["workspace.forbidden", "bot.archived", "bot.already_published", "publication.not_found"],
    handle: async (deps, { caller, params, body }) =>
      resume(deps, caller, params.botId, { number: Number(params.number), canary: body.canary ?? null }),
  }),
];
