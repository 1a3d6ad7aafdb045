import { Type } from "@sinclair/typebox";
import { pageFor } from "../../compatibility/requests.ts";
import { limits } from "../../limits/index.ts";
import { mainOrigin } from "../../platform/http/main-origin.ts";
import { exampleId, IdInput, NextCursor, oneOf, PageQuery } from "../../platform/http/schemas.ts";
import { userModes } from "../access/access.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { botOrders, listBots } from "./bot-lists.ts";
import { changeBot, createBot, getBot } from "./bots.ts";
import { deleteBot } from "./deletion.ts";
import type { BotDependencies } from "./drafts/dependencies.ts";
import {
  BotSchema,
  BotSummarySchema,
  botBodyExample,
  botBodyProperties,
  botChangesProperties,
  Conversion,
  LinkedFrom,
} from "./schemas.ts";

const operation = operationFor<BotDependencies>("Bots");

const success = "success" as const;

export const botOperations: readonly Operation[] = [
  operation({
    id: "listBots",
    route: "GET /api/v1/bots",
    isCompatible: true,
    query: Type.Object({
      workspaceId: IdInput,
      folderId: Type.Optional(
        Type.String({
          description: "Returns only bots in this folder; `root` selects bots that are in no folder.",
          examples: ["root"],
        }),
      ),
      search: Type.Optional(
        Type.String({
          maxLength: limits.fields.nameCharacters,
          description: "Part of the bot's name or public id. Case does not matter.",
        }),
      ),
      isPublished: Type.Optional(
        Type.Boolean({ description: "Returns only published bots (`true`), or only unpublished bots (`false`)." }),
      ),
      isArchived: Type.Optional(
        Type.Boolean({ default: false, description: "Whether to return archived bots instead of active bots." }),
      ),
      sort: Type.Optional({
        ...oneOf(botOrders),
        default: "createdAt",
        description: "Sort order. `name` sorts in ascending order, and times sort in descending order.",
      }),
      ...PageQuery.properties,
    }),
    answer: Type.Object({ bots: Type.Array(BotSummarySchema), nextCursor: NextCursor }),
    errors: ["workspace.not_found", "folder.not_found"],
    handle: async (deps, { caller, query, dialect, request }) =>
      listBots(deps, caller, { ...pageFor(dialect, query), requestOrigin: mainOrigin(deps, request) }),
  }),
  operation({
    id: "createBot",
    route: "POST /api/v1/bots",
    isCompatible: true,
    body: Type.Object({ workspaceId: IdInput, bot: Type.Object(botBodyProperties) }),
    bodyExample: { workspaceId: exampleId, bot: botBodyExample },
    shows: true,
    answer: Type.Object({ bot: BotSchema }),
    errors: [
      "workspace.not_found",
      "workspace.forbidden",
      "workspace.takes_nothing",
      "folder.not_found",
      "bot.public_id_taken",
      "bot.custom_domain_taken",
      "custom_domain.too_many",
    ],
    handle: async (deps, { caller, body: { workspaceId, bot }, dialect }) => ({
      bot: await createBot(deps, caller, { workspaceId, bot, dialect }),
    }),
  }),
  operation({
    id: "getBot",
    route: "GET /api/v1/bots/:botId",
    isCompatible: true,
    query: Conversion,
    answer: Type.Object({ bot: BotSchema, currentUserMode: oneOf(userModes) }),
    version: ({ bot }) => bot.updatedAt,
    answerExample: { bot: BotSchema.example, currentUserMode: "write" },
    errors: ["flow.no_start"],
    handle: async (deps, { caller, params, query, dialect }) =>
      getBot(deps, caller, params.botId, { isConverted: query.migrateToLatestVersion ?? false, dialect }),
  }),
  operation({
    id: "updateBot",
    route: "PATCH /api/v1/bots/:botId",
    isCompatible: true,
    body: Type.Object({
      bot: Type.Object(botChangesProperties),
      overwrite: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether to write even if the bot has changed since `updatedAt`.",
        }),
      ),
    }),
    // The example has no `updatedAt`, because its time would belong to another version.
    bodyExample: { bot: { name: "Visitors' book", isClosed: true } },
    answer: Type.Object({ bot: BotSchema }),
    version: ({ bot }) => bot.updatedAt,
    shownWith: { currentUserMode: "write" },
    answerExample: { bot: { ...BotSchema.example, isClosed: true } },
    errors: [
      "workspace.forbidden",
      "folder.not_found",
      "bot.archived",
      "bot.conflict",
      "precondition.failed",
      "bot.public_id_taken",
      "bot.custom_domain_taken",
      "custom_domain.too_many",
    ],
    handle: async (deps, { caller, params, body: { bot, overwrite = false }, seen, dialect }) => ({
      bot: await changeBot(deps, caller, params.botId, { bot, isOverwriting: overwrite, seen, dialect }),
    }),
  }),
  operation({
    id: "deleteBot",
    route: "DELETE /api/v1/bots/:botId",
    isCompatible: true,
    answer: Type.Object({ message: Type.Literal(success), linkedFrom: LinkedFrom }),
    errors: ["workspace.forbidden", "precondition.failed"],
    handle: async (deps, { caller, params, seen }) => {
      const linkedFrom = await deleteBot(deps, caller, params.botId, seen);
      return { message: success, linkedFrom };
    },
  }),
];
