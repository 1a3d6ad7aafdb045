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
    query: Type.Object({
      from: Type.Optional({
        ...VersionName,
        description: "`draft` or the number of a version. Defaults to the published version.",
      }),
      to: Type.Optional({ ...VersionName, default: "draft", description: "`draft` or the number of a version." }),
      withChanges: Type.Optional(Type.Boolean({ default: false, description: "Whether to return `changes` as well." })),
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
    params: PublicationPath,
    body: Type.Object({ updatedAt: Type.Optional(nullable(TimestampInput)) }),
    shows: true,
    answer: Type.Object({
      bot: BotSchema,
      replacedNumber: Type.Integer({ description: "The number of the version that stores the previous draft." }),
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
    query: Type.Object({
      to: Type.Optional({
        ...VersionName,
        default: "draft",
        description: "The version to publish: `draft` or the number of a version.",
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
