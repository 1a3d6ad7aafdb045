import { Type } from "@sinclair/typebox";
import { nullable, resource, TimestampInput } from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { ComparisonSchema, comparisonExample, VersionName } from "../drafts/comparison-schemas.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { BotSchema, Conversion, flowProperties, publishedBotExample } from "../schemas.ts";
import { forecastMove } from "./moves/running-chats.ts";
import { ForecastSchema, forecastExample } from "./moves/running-chats-schemas.ts";
import { PublicationPath, publicationExample, publicationProperties } from "./publications.routes.ts";
import { compareVersions, getPublication, restoreVersion } from "./versions.ts";

const operation = operationFor<BotDependencies>("Publishing");

const WholePublication = resource(
  "PublicationWithFlow",
  { ...publicationProperties, ...flowProperties },
  "A version of a bot, with its flow. It never changes.",
);

export const versionOperations: readonly Operation[] = [
  operation({
    id: "getPublication",
    route: "GET /api/v1/bots/:botId/publications/:number",
    summary: "Get a publication, with its flow",
    description: "Publications never change: the same number always returns the same flow.",
    params: PublicationPath,
    query: Conversion,
    answer: Type.Object({ publication: WholePublication }),
    answerExample: {
      publication: {
        ...publicationExample,
        version: publishedBotExample.version,
        events: publishedBotExample.events,
        groups: publishedBotExample.groups,
        edges: publishedBotExample.edges,
        variables: publishedBotExample.variables,
        theme: publishedBotExample.theme,
        settings: publishedBotExample.settings,
      },
    },
    errors: ["flow.no_start"],
    handle: async (deps, { caller, params, query }) => ({
      publication: await getPublication(deps, caller, params.botId, {
        number: Number(params.number),
        isConverted: query.migrateToLatestVersion ?? false,
      }),
    }),
  }),
  operation({
    id: "compareVersions",
    route: "GET /api/v1/bots/:botId/compare",
    summary: "Compare two versions of a bot",
    description:
      "What became of groups, blocks, items, events, edges, variables, theme and settings, by their ids: `added`, `removed`, `changed` " +
      "with paths and values, `reordered`, and, apart from what means something to a chat, `movedOnCanvas`. With `withChanges` also as " +
      "changes that, applied to `from` in their order, give `to`.",
    query: Type.Object({
      from: Type.Optional({ ...VersionName, description: "`draft` or a number; without it what visitors meet." }),
      to: Type.Optional({ ...VersionName, default: "draft", description: "`draft` or a number." }),
      withChanges: Type.Optional(Type.Boolean({ default: false, description: "Whether `changes` are wanted, too." })),
    }),
    answer: ComparisonSchema,
    answerExample: comparisonExample,
    errors: ["bot.not_published", "publication.not_found"],
    handle: async (deps, { caller, params, query }) =>
      compareVersions(deps, caller, params.botId, {
        from: query.from,
        to: query.to ?? "draft",
        withChanges: query.withChanges ?? false,
      }),
  }),
  operation({
    id: "restorePublication",
    route: "POST /api/v1/bots/:botId/publications/:number/restore",
    summary: "Restore an earlier version as the draft",
    description:
      "What visitors meet stays as it is. The draft that is replaced is kept as a version of its own (`isDraft`), unless one holds it " +
      "already: `replacedNumber` is where it is. With `updatedAt`, the bot's as you read it, somebody else's newer draft is not replaced.",
    params: PublicationPath,
    body: Type.Object({ updatedAt: Type.Optional(nullable(TimestampInput)) }),
    answer: Type.Object({
      bot: BotSchema,
      replacedNumber: Type.Integer({ description: "The number under which the draft as it was is kept." }),
    }),
    answerExample: { bot: BotSchema.example, replacedNumber: 4 },
    errors: ["workspace.forbidden", "bot.archived", "bot.conflict", "precondition.failed"],
    handle: async (deps, { caller, params, body, seen }) =>
      restoreVersion(deps, caller, params.botId, {
        number: Number(params.number),
        seen,
        seenUpdatedAt: body.updatedAt ? new Date(body.updatedAt) : undefined,
      }),
  }),
  operation({
    id: "getRunningChats",
    route: "GET /api/v1/bots/:botId/runningChats",
    summary: "Ask what publishing would do to the chats that run",
    description:
      'For a publication with `runningChats: "move"`: how many of the chats that run would move at their open input, and what keeps the ' +
      "others on their version until an input where nothing does. Nothing is changed.",
    query: Type.Object({
      to: Type.Optional({
        ...VersionName,
        default: "draft",
        description: "What would be published: `draft` or a number.",
      }),
    }),
    answer: Type.Object({ runningChats: ForecastSchema }),
    answerExample: { runningChats: forecastExample },
    errors: ["publication.not_found"],
    handle: async (deps, { caller, params, query }) => ({
      runningChats: await forecastMove(deps, caller, params.botId, { to: query.to ?? "draft" }),
    }),
  }),
];
