import { type Static, Type } from "@sinclair/typebox";
import { flowVersions } from "../../../core/flow/document.ts";
import { limits } from "../../../limits/index.ts";
import {
  described,
  exampleId,
  exampleTime,
  Id,
  idPath,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
} from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { Conversion, flowProperties, publishedBotExample } from "../schemas.ts";
import { FindingSchema, findingExample } from "./finding-schema.ts";
import { runningChatsPolicies } from "./moves/running-chats.ts";
import {
  getPublishedBot,
  listPublications,
  type PublishOptions,
  publishBot,
  republishBot,
  unpublish,
} from "./publications.ts";

const operation = operationFor<BotDependencies>("Publishing");

const success = "success" as const;
export const PublicationPath = Type.Object({
  botId: idPath("bot.not_found"),
  number: Type.String({ pattern: "^[1-9][0-9]{0,8}$", notFound: "publication.not_found", examples: ["1"] }),
});
export const CanaryPercent = Type.Integer({ minimum: 1, maximum: 99, description: "Share of new chats, in percent." });
const PublishBody = Type.Object({
  percent: Type.Optional(
    nullable({
      ...CanaryPercent,
      description:
        "Publishes a canary: only this share of new chats starts on the new version; the others start on the published version.",
    }),
  ),
  note: Type.Optional(
    nullable(Type.String({ maxLength: limits.fields.noteCharacters, description: "A note for the version history." })),
  ),
  runningChats: Type.Optional(
    oneOf(runningChatsPolicies, {
      default: "finish",
      description:
        "Whether running chats `finish` on the version on which they started, or `move` to this version at the next input where that is possible. `GET …/runningChats` predicts which chats can move.",
    }),
  ),
});

const DraftBody = Type.Object({
  ...PublishBody.properties,
  revision: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "The draft's revision that you read. If the draft has changed since, nothing is published (409).",
    }),
  ),
  force: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          "Whether to publish despite findings of severity `error` and failed required test conversations. The publication records the overridden rules. The path for existing clients always publishes despite them.",
      }),
    ),
  ),
});

const PublishedBotSchema = resource(
  "PublishedBot",
  {
    ...flowProperties,
    id: Id,
    botId: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "The published version of a bot.",
);

/** The fields of a version of a bot, without its flow. */
export const publicationProperties = {
  id: Id,
  number: Type.Integer({ description: "Number of the version. Each bot's versions are numbered from 1." }),
  hash: Type.String({ description: "SHA-256 of the flow: equal flows have equal hashes." }),
  note: nullable(Type.String({ description: "The author's note." })),
  overruledRules: Type.Array(Type.String(), {
    description:
      "Names of the rules whose errors were overridden; `failed_tests` means required test conversations that failed.",
  }),
  publishedBy: described(nullable(Id), "Id of the user who published it; null if the user no longer exists."),
  publishedByName: described(
    nullable(Type.String()),
    "Name of the user who published it; null if the user no longer exists.",
  ),
  isCurrent: Type.Boolean({ description: "Whether this is the published version." }),
  isCanary: Type.Boolean({ description: "Whether this is the canary, on which some new chats start." }),
  isDraft: Type.Boolean({
    description: "Whether this is a previous draft that a restore replaced. Nobody published it.",
  }),
  isOnlyCanary: Type.Boolean({
    description:
      "Whether the version was only published for a share of new chats: it is the canary, or a previous canary that nobody promoted.",
  }),
  figures: Type.Object(
    {
      views: Type.Number({ description: "Number of results that started on this version." }),
      starts: Type.Number({ description: "Number of results with an answer." }),
      completions: Type.Number({ description: "Number of complete results." }),
    },
    { description: "Statistics of the version, one to three minutes old, counted as in [insight](insight.md)." },
  ),
  createdAt: Timestamp,
};

const PublicationSchema = resource(
  "Publication",
  publicationProperties,
  "A version of a bot, without its flow. It never changes.",
);

export const publicationExample = {
  id: exampleId,
  number: 1,
  hash: "0".repeat(64),
  note: null,
  overruledRules: [],
  publishedBy: exampleId,
  publishedByName: "Ada",
  isCurrent: true,
  isCanary: false,
  isDraft: false,
  isOnlyCanary: false,
  figures: { views: 912, starts: 640, completions: 402 },
  createdAt: exampleTime,
};

const formatVersion = { description: "The version of the flow's format." };

const publishedProperties = {
  message: Type.Literal(success),
  publishedBot: Type.Object(
    { id: Id, version: oneOf(flowVersions, formatVersion), updatedAt: Timestamp },
    { description: "The published version." },
  ),
  number: Type.Integer(),
  publicId: Type.String(),
  updatedAt: Timestamp,
};

const publishedExample = {
  message: success,
  publishedBot: { id: exampleId, version: "6" as const, updatedAt: exampleTime },
  number: 1,
  publicId: "visitors-book-9w2b5d0",
  updatedAt: exampleTime,
};

function optionsOf({
  note = null,
  runningChats = "finish",
  percent = null,
}: Static<typeof PublishBody>): PublishOptions {
  return { note, runningChats, percent };
}

export const publicationOperations: readonly Operation[] = [
  operation({
    id: "publishBot",
    route: "POST /api/v1/bots/:botId/publish",
    isCompatible: true,
    body: DraftBody,
    shows: true,
    answer: Type.Object({
      ...publishedProperties,
      warnings: Type.Array(FindingSchema, { description: "Findings of the linter, most severe first." }),
    }),
    answerExample: { ...publishedExample, warnings: [findingExample] },
    errors: [
      "workspace.forbidden",
      "bot.archived",
      "bot.not_published",
      "bot.conflict",
      "precondition.failed",
      "flow.broken",
      "flow.tests_failed",
      "test_conversation.too_long",
      "server.overloaded",
    ],
    handle: async (deps, { caller, params, body, seen, dialect }) => {
      // Existing clients do not send `force`, and do not expect publishing to be rejected.
      const isForced = dialect === "typebot" || (body.force ?? false);
      const published = await publishBot(deps, caller, params.botId, {
        ...optionsOf(body),
        isForced,
        seen,
        revision: body.revision,
      });
      return { message: success, ...published };
    },
  }),
  operation({
    id: "unpublishBot",
    route: "POST /api/v1/bots/:botId/unpublish",
    isCompatible: true,
    answer: Type.Object({ message: Type.Literal(success) }),
    errors: ["workspace.forbidden", "bot.archived", "bot.not_published"],
    handle: async (deps, { caller, params }) => {
      await unpublish(deps, caller, params.botId);
      return { message: success };
    },
  }),
  operation({
    id: "getPublishedBot",
    route: "GET /api/v1/bots/:botId/publishedBot",
    isCompatible: true,
    query: Conversion,
    answer: Type.Object({
      publishedBot: nullable(PublishedBotSchema),
      version: oneOf(flowVersions, { description: "Always `3`. The flow has its own format version." }),
    }),
    answerExample: { publishedBot: publishedBotExample, version: "3" },
    errors: ["flow.no_start"],
    handle: async (deps, { caller, params, query, dialect }) =>
      getPublishedBot(deps, caller, params.botId, { isConverted: query.migrateToLatestVersion ?? false, dialect }),
  }),
  operation({
    id: "listPublications",
    route: "GET /api/v1/bots/:botId/publications",
    ...pageOf({ publications: Type.Array(PublicationSchema) }),
    answerExample: {
      publications: [publicationExample],
    },
    handle: async (deps, { caller, params, query }) => listPublications(deps, caller, params.botId, query),
  }),
  operation({
    id: "publishAgain",
    route: "POST /api/v1/bots/:botId/publications/:number/publish",
    params: PublicationPath,
    body: PublishBody,
    answer: Type.Object(publishedProperties),
    answerExample: publishedExample,
    errors: ["workspace.forbidden", "bot.archived", "bot.not_published"],
    handle: async (deps, { caller, params, body }) => {
      const earlier = { number: Number(params.number), ...optionsOf(body) };
      return { message: success, ...(await republishBot(deps, caller, params.botId, earlier)) };
    },
  }),
];
