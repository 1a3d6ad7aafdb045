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
export const CanaryPercent = Type.Integer({ minimum: 1, maximum: 99, description: "The share of new chats." });
const PublishBody = Type.Object({
  percent: Type.Optional(
    nullable({
      ...CanaryPercent,
      description:
        "Publish as a canary: for this share of new chats alone, while the others begin on what visitors meet now.",
    }),
  ),
  note: Type.Optional(
    nullable(Type.String({ maxLength: limits.fields.noteCharacters, description: "Kept in the history." })),
  ),
  runningChats: Type.Optional(
    oneOf(runningChatsPolicies, {
      default: "finish",
      description:
        "Chats that run `finish` on the version that they began with, or `move` to this one at the next input where they can. `GET …/runningChats` says beforehand which can.",
    }),
  ),
});

const DraftBody = Type.Object({
  ...PublishBody.properties,
  revision: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "The draft's revision that you looked at: if it has moved on, nothing is published (409).",
    }),
  ),
  force: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          "Publish also what would break chats (findings of severity `error`). The publication keeps which rules were overruled. Existing clients' path is never refused.",
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

/** A version of a bot, without its flow. It never changes. */
export const publicationProperties = {
  id: Id,
  number: Type.Integer({ description: "Counts up for each bot." }),
  hash: Type.String({ description: "SHA-256 of the flow: equal flows have equal hashes." }),
  note: nullable(Type.String({ description: "What its author said of it." })),
  overruledRules: Type.Array(Type.String(), {
    description:
      "The errors of the linter that it was published in spite of, by the names of their rules; `failed_tests` for required test conversations that failed.",
  }),
  publishedBy: described(nullable(Id), "Id of the user who published it; null where they are gone."),
  publishedByName: described(nullable(Type.String()), "Their name; null where they are gone."),
  isCurrent: Type.Boolean({ description: "Whether it is what visitors meet." }),
  isCanary: Type.Boolean({ description: "Whether some new chats begin on it, beside what visitors meet." }),
  isDraft: Type.Boolean({ description: "Nobody published it: it was the draft until a restore replaced it." }),
  figures: Type.Object(
    {
      views: Type.Number({ description: "Results that began on it." }),
      starts: Type.Number({ description: "Those with an answer." }),
      completions: Type.Number({ description: "Those that came to an end." }),
    },
    { description: "What came of it until one to three minutes ago, as [insight](insight.md) counts." },
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
  figures: { views: 912, starts: 640, completions: 402 },
  createdAt: exampleTime,
};

const formatVersion = { description: "The version of the format that the flow is written in." };

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
    summary: "Publish a bot",
    description:
      "Visitors meet the flow as it is now; chats that run stay on theirs, unless `runningChats` says otherwise. The first time, a bot without `publicId` gets one. " +
      "`updatedAt` is the bot's. A flow that would break chats is refused, unless it is forced. `warnings` are what the linter finds, the gravest first, at most 100: see `POST /api/v1/bots/{botId}/lint`.",
    isCompatible: true,
    body: DraftBody,
    bodyExample: { note: "Spring questions" },
    answer: Type.Object({
      ...publishedProperties,
      warnings: Type.Array(FindingSchema, { description: "What the linter finds, the gravest first." }),
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
      // Existing clients were never refused, and know no `force`.
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
    summary: "Unpublish a bot",
    description: "Running chats continue; the history stays.",
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
    summary: "Get the published copy of a bot",
    description:
      "Null while the bot is not published. `version` is `3` for every bot; on the compatible path it is the published flow's.",
    isCompatible: true,
    query: Conversion,
    answer: Type.Object({
      publishedBot: nullable(PublishedBotSchema),
      version: oneOf(flowVersions, { description: "Always `3`; the flow has its own." }),
    }),
    answerExample: { publishedBot: publishedBotExample, version: "3" },
    errors: ["flow.no_start"],
    handle: async (deps, { caller, params, query, dialect }) =>
      getPublishedBot(deps, caller, params.botId, { isConverted: query.migrateToLatestVersion ?? false, dialect }),
  }),
  operation({
    id: "listPublications",
    route: "GET /api/v1/bots/:botId/publications",
    summary: "List a bot's publications",
    description: "Newest first.",
    ...pageOf({ publications: Type.Array(PublicationSchema) }),
    answerExample: {
      publications: [publicationExample],
    },
    handle: async (deps, { caller, params, query }) => listPublications(deps, caller, params.botId, query),
  }),
  operation({
    id: "publishAgain",
    route: "POST /api/v1/bots/:botId/publications/:number/publish",
    summary: "Publish an earlier publication again",
    description: "It becomes a new publication; the draft does not change.",
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
