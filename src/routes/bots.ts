import { Type } from "@sinclair/typebox";
import { pageFor } from "../compatibility/requests.ts";
import { userModes } from "../services/access.ts";
import { importBot } from "../services/bot-import.ts";
import { listBots } from "../services/bot-lists.ts";
import { changeBot, createBot, getBot } from "../services/bots.ts";
import { deleteBot } from "../services/erasure.ts";
import {
  BotSchema,
  BotSummarySchema,
  botBodyExample,
  botBodyProperties,
  botChangesProperties,
  botExample,
  Conversion,
} from "./bot-schemas.ts";
import { needsToken } from "./http/authentication.ts";
import { type Operation, operation } from "./http/operation.ts";
import { exampleId, exampleTime, IdInput, idPath, NextCursor, nullable, oneOf, PageQuery } from "./http/schemas.ts";

const success = "success" as const;
const tag = "Bots";
const BotPath = Type.Object({ botId: idPath("bot.not_found") });

export const botOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/bots",
    tag,
    summary: "List a workspace's bots",
    description:
      "Newest first, in whatever folder they lie; `folderId` narrows it to one folder, `root` to those in none. A GUEST gets " +
      "the bots that they collaborate on.",
    isCompatible: true,
    auth: needsToken("read"),
    query: Type.Object({ workspaceId: IdInput, folderId: Type.Optional(IdInput), ...PageQuery.properties }),
    answer: Type.Object({ bots: Type.Array(BotSummarySchema), nextCursor: NextCursor }),
    answerExample: {
      bots: [
        {
          id: exampleId,
          name: "Visitors' book",
          icon: null,
          workspaceId: exampleId,
          folderId: null,
          publicId: "visitors-book-9w2b5d0",
          isClosed: false,
          publishedBotId: exampleId,
          accessRight: "write",
          createdAt: exampleTime,
          updatedAt: exampleTime,
        },
      ],
    },
    errors: ["workspace.not_found", "folder.not_found", "cursor.invalid"],
    handle: async (deps, { caller, query, dialect, request }) =>
      listBots(deps, caller, { ...pageFor(dialect, query), requestOrigin: new URL(request.url).origin }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/bots",
    tag,
    summary: "Make a bot",
    description: "Everything in `bot` may be left out. A flow without a start gets a start event.",
    isCompatible: true,
    auth: needsToken("write"),
    body: Type.Object({ workspaceId: IdInput, bot: Type.Object(botBodyProperties) }),
    bodyExample: { workspaceId: exampleId, bot: botBodyExample },
    answer: Type.Object({ bot: BotSchema }),
    answerExample: { bot: botExample },
    errors: [
      "workspace.not_found",
      "workspace.forbidden",
      "folder.not_found",
      "bot.public_id_taken",
      "bot.custom_domain_taken",
    ],
    handle: async (deps, { caller, body: { workspaceId, bot }, dialect }) => ({
      bot: await createBot(deps, caller, { workspaceId, bot, dialect }),
    }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/bots/import",
    tag,
    summary: "Make a bot of an exported one",
    description:
      "Takes flows of every version and stores the latest. Ids inside the flow stay. `enableSafetyFlags` marks client-side " +
      "code of files that come from somebody else.",
    isCompatible: true,
    auth: needsToken("write"),
    body: Type.Object({
      workspaceId: IdInput,
      folderId: Type.Optional(nullable(IdInput)),
      bot: Type.Object(botBodyProperties),
      enableSafetyFlags: Type.Optional(Type.Boolean({ default: false })),
    }),
    bodyExample: { workspaceId: exampleId, bot: botBodyExample },
    answer: Type.Object({ bot: BotSchema }),
    answerExample: { bot: { ...botExample, publicId: null } },
    errors: ["workspace.not_found", "workspace.forbidden", "folder.not_found", "flow.no_start"],
    handle: async (deps, { caller, body, dialect }) => {
      const { enableSafetyFlags: hasSafetyFlags = false, ...file } = body;
      return { bot: await importBot(deps, caller, { ...file, hasSafetyFlags, dialect }) };
    },
  }),
  operation({
    method: "GET",
    path: "/api/v1/bots/:botId",
    tag,
    summary: "Get a bot",
    description:
      "A bot that is publicly shared is seen with any token, then without credential ids and `settings.security`.",
    isCompatible: true,
    auth: needsToken("read"),
    params: BotPath,
    query: Conversion,
    answer: Type.Object({ bot: BotSchema, currentUserMode: oneOf(userModes) }),
    answerExample: { bot: botExample, currentUserMode: "write" },
    errors: ["workspace.suspended", "flow.no_start"],
    handle: async (deps, { caller, params, query, dialect }) =>
      getBot(deps, caller, params.botId, { isConverted: query.migrateToLatestVersion ?? false, dialect }),
  }),
  operation({
    method: "PATCH",
    path: "/api/v1/bots/:botId",
    tag,
    summary: "Change a bot",
    description:
      "What is left out stays, what is there replaces the whole field, null clears. `bot.updatedAt` is the version that you " +
      "saw: if the bot was written since, the answer is 409 with the current `updatedAt`, unless `overwrite` is true.",
    isCompatible: true,
    auth: needsToken("write"),
    params: BotPath,
    body: Type.Object({
      bot: Type.Object(botChangesProperties),
      overwrite: Type.Optional(Type.Boolean({ default: false })),
    }),
    bodyExample: { bot: { name: "Visitors' book", isClosed: true, updatedAt: exampleTime } },
    answer: Type.Object({ bot: BotSchema }),
    answerExample: { bot: { ...botExample, isClosed: true } },
    errors: [
      "workspace.suspended",
      "workspace.forbidden",
      "folder.not_found",
      "bot.conflict",
      "bot.public_id_taken",
      "bot.custom_domain_taken",
    ],
    handle: async (deps, { caller, params, body: { bot, overwrite = false }, dialect }) => ({
      bot: await changeBot(deps, caller, params.botId, { bot, isOverwriting: overwrite, dialect }),
    }),
  }),
  operation({
    method: "DELETE",
    path: "/api/v1/bots/:botId",
    tag,
    summary: "Delete a bot",
    description:
      "At once nobody sees it and its `publicId` and `customDomain` are free; its chats end and its results are erased. " +
      "Where there are very many, `isErased` is false: ask again to go on. Deleting a deleted bot succeeds.",
    isCompatible: true,
    auth: needsToken("write"),
    params: BotPath,
    answer: Type.Object({ message: Type.Literal(success), isErased: Type.Boolean() }),
    answerExample: { message: success, isErased: true },
    errors: ["workspace.suspended", "workspace.forbidden"],
    async handle(deps, { caller, params }) {
      await deleteBot(deps, caller, params.botId);
      return { message: success, isErased: true };
    },
  }),
];
