import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { exampleId, exampleOf, Id, IdInput, NameInput, nullable, oneOf } from "../../../platform/http/schemas.ts";
import type { FileDependencies } from "../../files/dependencies.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { BotSchema, flowProperties, LinkedFrom } from "../schemas.ts";
import { duplicateBot } from "./bot-copies.ts";
import { bulkActions, changeBots, moveBot } from "./bot-moves.ts";
import { listLinkedBots } from "./linked-bots.ts";

const operation = operationFor<BotDependencies & FileDependencies>("Bots");

const success = "success" as const;

/** An external object that a flow refers to, and the block with the reference. */
export const ExternalSchema = Type.Object({ groupId: Type.String(), blockId: Type.String(), id: Type.String() });
export const MissingProperties = {
  missingCredentials: Type.Array(ExternalSchema, {
    description: "Credentials that the flow refers to and the workspace does not have. Their ids stay in the flow.",
  }),
  missingBots: Type.Array(ExternalSchema, {
    description: "Linked bots that the workspace does not have. Their ids stay in the flow.",
  }),
  missingSecrets: Type.Array(Type.String(), {
    description: "Names of secrets that the flow uses and the workspace does not have.",
  }),
  missingFiles: Type.Array(Type.String(), {
    description: "URLs of authors' files of this service that the flow shows and that do not exist.",
  }),
};
const linkedFrom = exampleOf(LinkedFrom);
const externalExample = { groupId: "welcome", blockId: "mail", id: exampleId };

const FolderInput = Type.Optional(nullable(IdInput));

export const botPlaceOperations: readonly Operation[] = [
  operation({
    id: "moveBot",
    route: "POST /api/v1/bots/:botId/move",
    body: Type.Object({ workspaceId: Type.Optional(IdInput), folderId: FolderInput }),
    bodyExample: { workspaceId: exampleId, folderId: null },
    shows: true,
    answer: Type.Object({
      bot: BotSchema,
      lostCustomDomain: nullable(
        Type.String({ description: "The bot's custom domain, which stays in the previous workspace." }),
      ),
      copiedFiles: Type.Integer({ description: "Number of authors' files that were copied to the workspace." }),
      linkedFrom: LinkedFrom,
      ...MissingProperties,
    }),
    answerExample: {
      bot: BotSchema.example,
      lostCustomDomain: null,
      copiedFiles: 2,
      linkedFrom,
      missingCredentials: [externalExample],
      missingBots: [],
      missingSecrets: ["CRM_KEY"],
      missingFiles: [],
    },
    errors: [
      "workspace.not_found",
      "workspace.forbidden",
      "workspace.takes_nothing",
      "folder.not_found",
      "workspace_file.no_room",
    ],
    handle: async (deps, { caller, params, body: { workspaceId, folderId = null }, dialect }) =>
      moveBot(deps, caller, params.botId, { destination: { workspaceId, folderId }, dialect }),
  }),
  operation({
    id: "duplicateBot",
    route: "POST /api/v1/bots/:botId/duplicate",
    description:
      "Creates an unpublished bot without a public id from the draft, in the same workspace, with its test conversations and without its public share. With `withResults`, the results are copied " +
      `too, up to ${limits.duplication.results.toLocaleString("en-US")}. Files are not copied: copied answers refer to the same files.`,
    body: Type.Object({
      name: Type.Optional(NameInput),
      folderId: FolderInput,
      withResults: Type.Optional(Type.Boolean({ default: false, description: "Whether to copy the results as well." })),
    }),
    shows: true,
    answer: Type.Object({
      bot: BotSchema,
      copiedResults: Type.Integer({ description: "Number of copied results." }),
    }),
    answerExample: { bot: { ...BotSchema.example, publicId: null }, copiedResults: 0 },
    errors: ["workspace.forbidden", "workspace.takes_nothing", "folder.not_found", "bot.too_many_results"],
    handle: async (deps, { caller, params, body: { withResults: isWithResults = false, ...rest }, dialect }) =>
      duplicateBot(deps, caller, params.botId, { ...rest, isWithResults, dialect }),
  }),
  operation({
    id: "bulkChangeBots",
    route: "POST /api/v1/bots/bulk",
    body: Type.Object({
      action: oneOf(bulkActions, { description: "The action to apply to all of these bots." }),
      botIds: Type.Array(IdInput, { minItems: 1, maxItems: limits.duplication.bulk, description: "Ids of the bots." }),
      workspaceId: Type.Optional(IdInput),
      folderId: FolderInput,
    }),
    bodyExample: { action: "move", botIds: [exampleId], folderId: null },
    answer: Type.Object({
      message: Type.Literal(success),
      count: Type.Integer({ description: "Number of changed bots." }),
      linkedFrom: LinkedFrom,
    }),
    answerExample: { message: success, count: 1, linkedFrom: [] },
    errors: [
      "workspace.suspended",
      "workspace.not_found",
      "workspace.forbidden",
      "workspace.takes_nothing",
      "bot.not_found",
      "folder.not_found",
      "workspace_file.no_room",
    ],
    handle: async (deps, { caller, body: { action, botIds, workspaceId, folderId } }) => {
      const isPlaced = folderId !== undefined || workspaceId !== undefined;
      const destination = isPlaced ? { workspaceId, folderId: folderId ?? null } : undefined;
      return { message: success, ...(await changeBots(deps, caller, { botIds, action, destination })) };
    },
  }),
  operation({
    id: "listLinkedBots",
    route: "GET /api/v1/bots/:botId/linkedBots",
    isCompatible: true,
    answer: Type.Object({
      bots: Type.Array(
        Type.Object({
          id: Id,
          name: Type.String(),
          version: flowProperties.version,
          groups: flowProperties.groups,
          variables: flowProperties.variables,
        }),
        { description: "The bots that the draft links to." },
      ),
      missingBots: MissingProperties.missingBots,
      linkedFrom: LinkedFrom,
    }),
    answerExample: {
      bots: [{ id: exampleId, name: "Address", version: "6", groups: [], variables: [] }],
      missingBots: [],
      linkedFrom,
    },
    handle: async (deps, { caller, params, dialect }) => listLinkedBots(deps, caller, params.botId, dialect),
  }),
];
