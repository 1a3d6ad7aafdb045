import { Type } from "@sinclair/typebox";
import { flowVersions } from "../flow/document.ts";
import { warningTypes } from "../flow/warnings.ts";
import { limits } from "../limits.ts";
import { getPublishedBot, listPublications, publishBot, republishBot, unpublish } from "../services/publications.ts";
import { Conversion, flowProperties, publishedBotExample } from "./bot-schemas.ts";
import { needsToken } from "./http/authentication.ts";
import { type Operation, operation } from "./http/operation.ts";
import {
  exampleId,
  exampleTime,
  Id,
  idPath,
  NextCursor,
  nullable,
  oneOf,
  PageQuery,
  resource,
  Timestamp,
} from "./http/schemas.ts";

const success = "success" as const;
const tag = "Publishing";
const BotPath = Type.Object({ botId: idPath("bot.not_found") });
const NoteBody = Type.Object({
  note: Type.Optional(
    nullable(Type.String({ maxLength: limits.fields.noteCharacters, description: "Kept in the history." })),
  ),
});

const PublishedBotSchema = resource("PublishedBot", {
  ...flowProperties,
  id: Id,
  botId: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const PublicationSchema = resource("Publication", {
  id: Id,
  number: Type.Integer(),
  hash: Type.String({ description: "SHA-256 of the flow: equal flows have equal hashes." }),
  note: nullable(Type.String()),
  publishedBy: nullable(Id),
  isCurrent: Type.Boolean(),
  createdAt: Timestamp,
});

const WarningSchema = Type.Object({
  type: oneOf(warningTypes),
  path: Type.String(),
  message: Type.String(),
});

const publishedProperties = {
  message: Type.Literal(success),
  publishedBot: Type.Object({ id: Id, version: oneOf(flowVersions), updatedAt: Timestamp }),
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

export const publicationOperations: readonly Operation[] = [
  operation({
    method: "POST",
    path: "/api/v1/bots/:botId/publish",
    tag,
    summary: "Publish a bot",
    description:
      "Visitors meet the flow as it is now; chats that run stay on theirs. The first time, a bot without `publicId` gets one. " +
      "`updatedAt` is the bot's. Warnings tell what leads nowhere, what nothing reads, and which colours of the theme are too alike (`low_contrast`).",
    isCompatible: true,
    auth: needsToken("write"),
    params: BotPath,
    body: NoteBody,
    bodyExample: { note: "Spring questions" },
    answer: Type.Object({ ...publishedProperties, warnings: Type.Array(WarningSchema) }),
    answerExample: { ...publishedExample, warnings: [] },
    errors: ["workspace.suspended", "workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({
      message: success,
      ...(await publishBot(deps, caller, params.botId, { note: body.note ?? null })),
    }),
  }),
  operation({
    method: "POST",
    path: "/api/v1/bots/:botId/unpublish",
    tag,
    summary: "Take a bot from visitors",
    description: "Chats that run go on; the history stays.",
    isCompatible: true,
    auth: needsToken("write"),
    params: BotPath,
    answer: Type.Object({ message: Type.Literal(success) }),
    answerExample: { message: success },
    errors: ["workspace.suspended", "workspace.forbidden", "bot.not_published"],
    handle: async (deps, { caller, params }) => {
      await unpublish(deps, caller, params.botId);
      return { message: success };
    },
  }),
  operation({
    method: "GET",
    path: "/api/v1/bots/:botId/publishedBot",
    tag,
    summary: "Get the published copy of a bot",
    description:
      "Null while the bot is not published. `version` is `3` for every bot; on the compatible path it is the published flow's.",
    isCompatible: true,
    auth: needsToken("read"),
    params: BotPath,
    query: Conversion,
    answer: Type.Object({ publishedBot: nullable(PublishedBotSchema), version: oneOf(flowVersions) }),
    answerExample: { publishedBot: publishedBotExample, version: "3" },
    errors: ["workspace.suspended", "flow.no_start"],
    handle: async (deps, { caller, params, query, dialect }) =>
      getPublishedBot(deps, caller, params.botId, { isConverted: query.migrateToLatestVersion ?? false, dialect }),
  }),
  operation({
    method: "GET",
    path: "/api/v1/bots/:botId/publications",
    tag,
    summary: "List what was published",
    description: "Newest first.",
    auth: needsToken("read"),
    params: BotPath,
    query: PageQuery,
    answer: Type.Object({ publications: Type.Array(PublicationSchema), nextCursor: NextCursor }),
    answerExample: {
      publications: [
        {
          id: exampleId,
          number: 1,
          hash: "0".repeat(64),
          note: null,
          publishedBy: exampleId,
          isCurrent: true,
          createdAt: exampleTime,
        },
      ],
    },
    errors: ["workspace.suspended", "cursor.invalid"],
    handle: async (deps, { caller, params, query }) => listPublications(deps, caller, params.botId, query),
  }),
  operation({
    method: "POST",
    path: "/api/v1/bots/:botId/publications/:number/publish",
    tag,
    summary: "Publish an earlier publication again",
    description: "It becomes a new publication; the draft stays as it is.",
    auth: needsToken("write"),
    params: Type.Object({
      botId: idPath("bot.not_found"),
      number: Type.String({ pattern: "^[1-9][0-9]{0,8}$", notFound: "publication.not_found", examples: ["1"] }),
    }),
    body: NoteBody,
    bodyExample: {},
    answer: Type.Object(publishedProperties),
    answerExample: publishedExample,
    errors: ["workspace.suspended", "workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => {
      const earlier = { number: Number(params.number), note: body.note ?? null };
      return { message: success, ...(await republishBot(deps, caller, params.botId, earlier)) };
    },
  }),
];
