import { Type } from "@sinclair/typebox";
import {
  exampleId,
  exampleTime,
  Id,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import { getBot } from "../bots/bots.ts";
import type { BotDependencies } from "../bots/drafts/dependencies.ts";
import { FolderSchema } from "../bots/folders/routes.ts";
import { BotSchema, LinkedFrom } from "../bots/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { eraseDeletedResults, restoreDeletedResults } from "../results/erasure.ts";
import { splitIds } from "../results/routes.ts";
import { getWorkspace } from "../workspaces/workspaces.ts";
import {
  archiveBot,
  eraseBot,
  eraseFolder,
  eraseWorkspace,
  listBin,
  listDeletedResults,
  listDeletedWorkspaces,
  restoreBot,
  restoreFolder,
  restoreWorkspace,
} from "./bin.ts";

const operation = operationFor<BotDependencies>("Bin");

const success = "success" as const;
const erasing = {
  isErasing: Type.Optional(
    Type.Literal(true, {
      description:
        "Present if some chats have not ended yet. A job ends them; nothing is erased before the last chat has ended.",
    }),
  ),
};
const Erasing = Type.Object({ message: Type.Literal(success), ...erasing });

const BinEntrySchema = resource(
  "BinEntry",
  {
    kind: oneOf(["bot", "folder"], { description: "The kind of object." }),
    id: Id,
    name: Type.String(),
    deletedAt: Timestamp,
    erasedAt: Timestamp,
    deletedWith: nullable(
      Type.String({
        description:
          "The folder that was deleted together with the object. Restoring the folder also restores the object.",
      }),
    ),
  },
  "A bot or a folder in the bin.",
);

/** The previous addresses of a restored bot that other bots now have. */
const lost = {
  lostPublicId: nullable(Type.String({ description: "The bot's previous public id, if another bot now has it." })),
  lostCustomDomain: nullable(
    Type.String({ description: "The bot's previous custom domain, if another bot now has it." }),
  ),
};
const LostSchema = Type.Array(Type.Object({ id: Id, ...lost }), {
  description: "Restored bots whose addresses now belong to other bots.",
});

const ResultsBody = Type.Object({
  resultIds: Type.Optional(
    Type.Union([Type.String({ description: "Ids of the results, separated by commas." }), Type.Array(Type.String())]),
  ),
  all: Type.Optional(Type.Boolean({ description: "Whether to select all results in the bin." })),
});
const isComplete = Type.Boolean({
  description: "False if there are too many results for one request: send the request again to continue.",
});

export const binOperations: readonly Operation[] = [
  operation({
    id: "archiveBot",
    route: "POST /api/v1/bots/:botId/archive",
    tag: "Bots",
    body: Type.Object({}),
    shows: true,
    answer: Type.Object({ bot: BotSchema, linkedFrom: LinkedFrom }),
    answerExample: { bot: { ...BotSchema.example, isArchived: true }, linkedFrom: [] },
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params: { botId }, dialect }) => {
      const linkedFrom = await archiveBot(deps, caller, botId);
      return { bot: (await getBot(deps, caller, botId, { isConverted: false, dialect })).bot, linkedFrom };
    },
  }),
  operation({
    id: "restoreBot",
    route: "POST /api/v1/bots/:botId/restore",
    body: Type.Object({}),
    shows: true,
    answer: Type.Object({ bot: BotSchema, ...lost }),
    answerExample: { bot: BotSchema.example, lostPublicId: null, lostCustomDomain: null },
    errors: ["workspace.forbidden", "workspace.takes_nothing"],
    handle: async (deps, { caller, params: { botId }, dialect }) => {
      const { lostPublicId, lostCustomDomain } = await restoreBot(deps, caller, botId);
      const { bot } = await getBot(deps, caller, botId, { isConverted: false, dialect });
      return { bot, lostPublicId, lostCustomDomain };
    },
  }),
  operation({
    id: "eraseBot",
    route: "POST /api/v1/bots/:botId/erase",
    body: Type.Object({}),
    answer: Type.Object({
      message: Type.Literal(success),
      isErased: Type.Boolean({ description: "False if a job continues the erasure." }),
      ...erasing,
    }),
    answerExample: { message: success, isErased: true },
    errors: ["workspace.forbidden", "bin.not_there"],
    handle: async (deps, { caller, params }) => ({ message: success, ...(await eraseBot(deps, caller, params.botId)) }),
  }),
  operation({
    id: "listBin",
    route: "GET /api/v1/workspaces/:workspaceId/bin",
    ...pageOf({ entries: Type.Array(BinEntrySchema) }),
    answerExample: {
      entries: [
        {
          kind: "bot",
          id: exampleId,
          name: "Survey",
          deletedAt: exampleTime,
          erasedAt: exampleTime,
          deletedWith: null,
        },
      ],
    },
    handle: async (deps, { caller, params, query }) => listBin(deps, caller, { ...params, ...query }),
  }),
  operation({
    id: "restoreFolder",
    route: "POST /api/v1/folders/:folderId/restore",
    body: Type.Object({}),
    answer: Type.Object({ folder: FolderSchema, lost: LostSchema }),
    answerExample: { folder: FolderSchema.example, lost: [] },
    errors: ["workspace.not_found", "workspace.forbidden", "workspace.takes_nothing"],
    handle: async (deps, { caller, params }) =>
      restoreFolder(deps, caller, { folderId: params.folderId, workspaceId: undefined }),
  }),
  operation({
    id: "eraseFolder",
    route: "POST /api/v1/folders/:folderId/erase",
    body: Type.Object({}),
    answer: Erasing,
    answerExample: { message: success },
    errors: ["bin.not_there"],
    handle: async (deps, { caller, params }) => ({
      message: success,
      ...(await eraseFolder(deps, caller, { folderId: params.folderId, workspaceId: undefined })),
    }),
  }),
  operation({
    id: "listDeletedWorkspaces",
    route: "GET /api/v1/workspaces/bin",
    ...pageOf({
      workspaces: Type.Array(
        Type.Object({
          id: Id,
          name: Type.String(),
          icon: nullable(Type.String()),
          deletedAt: Timestamp,
          erasedAt: Timestamp,
        }),
        { description: "The deleted workspaces of this page." },
      ),
    }),
    answerExample: {
      workspaces: [{ id: exampleId, name: "Support team", icon: null, deletedAt: exampleTime, erasedAt: exampleTime }],
    },
    handle: async (deps, { caller, query }) => listDeletedWorkspaces(deps, caller, query),
  }),
  operation({
    id: "restoreWorkspace",
    route: "POST /api/v1/workspaces/:workspaceId/restore",
    body: Type.Object({}),
    answer: Type.Object({
      workspace: Type.Object({ id: Id, name: Type.String() }, { description: "The workspace." }),
      lost: LostSchema,
    }),
    answerExample: { workspace: { id: exampleId, name: "Support team" }, lost: [] },
    handle: async (deps, { caller, params: { workspaceId } }) => {
      const lost = await restoreWorkspace(deps, caller, workspaceId);
      const { workspace } = await getWorkspace(deps, caller, workspaceId);
      return { workspace, lost };
    },
  }),
  operation({
    id: "eraseWorkspace",
    route: "POST /api/v1/workspaces/:workspaceId/erase",
    body: Type.Object({}),
    answer: Erasing,
    answerExample: { message: success },
    errors: ["bin.not_there"],
    handle: async (deps, { caller, params }) => ({
      message: success,
      ...(await eraseWorkspace(deps, caller, params.workspaceId)),
    }),
  }),
  operation({
    id: "listDeletedResults",
    route: "GET /api/v1/bots/:botId/results/bin",
    ...pageOf({
      results: Type.Array(
        resource(
          "DeletedResult",
          {
            id: Id,
            createdAt: Timestamp,
            hasStarted: Type.Boolean({ description: "Whether the visitor answered at least once." }),
            isCompleted: Type.Boolean({ description: "Whether the chat is complete." }),
            deletedAt: Timestamp,
            erasedAt: Timestamp,
          },
          "A result in the bin.",
        ),
      ),
    }),
    answerExample: {
      results: [
        {
          id: exampleId,
          createdAt: exampleTime,
          hasStarted: true,
          isCompleted: true,
          deletedAt: exampleTime,
          erasedAt: exampleTime,
        },
      ],
    },
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, query }) => listDeletedResults(deps, caller, params.botId, query),
  }),
  operation({
    id: "restoreResults",
    route: "POST /api/v1/bots/:botId/results/restore",
    body: ResultsBody,
    bodyExample: { resultIds: [exampleId] },
    answer: Type.Object({ restoredCount: Type.Integer({ description: "Number of restored results." }), isComplete }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) =>
      restoreDeletedResults(deps, caller, params.botId, {
        resultIds: splitIds(body.resultIds),
        isAll: body.all ?? false,
      }),
  }),
  operation({
    id: "eraseResults",
    route: "POST /api/v1/bots/:botId/results/erase",
    body: ResultsBody,
    answer: Type.Object({ erasedCount: Type.Integer({ description: "Number of erased results." }), isComplete }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) =>
      eraseDeletedResults(deps, caller, params.botId, {
        resultIds: splitIds(body.resultIds),
        isAll: body.all ?? false,
      }),
  }),
];
