import { Type } from "@sinclair/typebox";
import { pageFor } from "../../../compatibility/requests.ts";
import {
  EmailInput,
  exampleId,
  Id,
  idPath,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
} from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import {
  listBotInvitations,
  listCollaborators,
  putCollaborator,
  putCollaboratorByEmail,
  removeCollaborator,
  revokeBotInvitation,
} from "./collaborators.ts";
import { InvitationSchema, NewInvitationSchema } from "./invitations.routes.ts";

const CollaborationType = oneOf(["READ", "WRITE"], { description: "The collaborator's access to the bot." });

const CollaboratorSchema = resource(
  "Collaborator",
  {
    botId: Id,
    userId: Id,
    type: CollaborationType,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    user: Type.Object({ name: Type.String(), email: nullable(Type.String()) }, { description: "The user." }),
  },
  "A person who may read or write one bot.",
  { type: "READ", user: { name: "Ada Lovelace", email: "ada@example.com" } },
);

const botId = idPath("bot.not_found");
const success = "success" as const;
const operation = operationFor("Collaborators");
const toBot = { role: "GUEST", botId: exampleId, type: "READ" } as const;

export const collaboratorOperations: readonly Operation[] = [
  operation({
    id: "listCollaborators",
    route: "GET /api/v1/bots/:botId/collaborators",
    isCompatible: true,
    ...pageOf({ collaborators: Type.Array(CollaboratorSchema) }),
    handle: async (deps, { caller, params, query, dialect }) =>
      listCollaborators(deps, caller, params.botId, pageFor(dialect, query)),
  }),
  operation({
    id: "inviteCollaborator",
    route: "PUT /api/v1/bots/:botId/collaborators",
    body: Type.Object({ email: EmailInput, type: CollaborationType }),
    answer: Type.Object({ collaborator: nullable(CollaboratorSchema), invitation: nullable(NewInvitationSchema) }),
    answerExample: {
      collaborator: null,
      invitation: { ...NewInvitationSchema.example, ...toBot },
    },
    errors: ["workspace.forbidden", "invitation.not_mailed"],
    handle: async (deps, { caller, params, body }) => putCollaboratorByEmail(deps, caller, params.botId, body),
  }),
  operation({
    id: "setCollaborator",
    route: "PUT /api/v1/bots/:botId/collaborators/:userId",
    body: Type.Object({ type: CollaborationType }),
    answer: Type.Object({ collaborator: CollaboratorSchema }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({
      collaborator: await putCollaborator(deps, caller, params.botId, { userId: params.userId, type: body.type }),
    }),
  }),
  operation({
    id: "removeCollaborator",
    route: "DELETE /api/v1/bots/:botId/collaborators/:userId",
    params: Type.Object({ botId, userId: idPath("collaborator.not_found") }),
    answer: Type.Object({ message: Type.Literal(success) }),
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params }) => {
      await removeCollaborator(deps, caller, params.botId, params.userId);
      return { message: success };
    },
  }),
  operation({
    id: "listBotInvitations",
    route: "GET /api/v1/bots/:botId/invitations",
    ...pageOf({ invitations: Type.Array(InvitationSchema) }),
    answerExample: { invitations: [{ ...InvitationSchema.example, ...toBot }] },
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, query }) => listBotInvitations(deps, caller, params.botId, query),
  }),
  operation({
    id: "deleteBotInvitation",
    route: "DELETE /api/v1/bots/:botId/invitations/:invitationId",
    answer: Type.Object({ invitation: InvitationSchema }),
    answerExample: { invitation: { ...InvitationSchema.example, ...toBot } },
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params }) => ({ invitation: await revokeBotInvitation(deps, caller, params) }),
  }),
];
