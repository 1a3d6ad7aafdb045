import { type Static, Type } from "@sinclair/typebox";
import { pageFor } from "../../../compatibility/requests.ts";
import {
  EmailInput,
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
} from "../../../platform/http/schemas.ts";
import { needsToken } from "../../operations/authentication.ts";
import { type Operation, operation } from "../../operations/operation.ts";
import {
  listBotInvitations,
  listCollaborators,
  putCollaborator,
  putCollaboratorByEmail,
  removeCollaborator,
  revokeBotInvitation,
} from "./collaborators.ts";
import {
  InvitationSchema,
  invitationExample,
  NewInvitationSchema,
  newInvitationExample,
} from "./invitations.routes.ts";

const CollaborationType = oneOf(["READ", "WRITE"], { description: "What they may do with the bot." });

const CollaboratorSchema = resource(
  "Collaborator",
  {
    botId: Id,
    userId: Id,
    type: CollaborationType,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    user: Type.Object({ name: Type.String(), email: nullable(Type.String()) }, { description: "Who it is." }),
  },
  "Somebody who may read or write one bot.",
);

const collaboratorExample: Static<typeof CollaboratorSchema> = {
  botId: exampleId,
  userId: exampleId,
  type: "READ",
  createdAt: exampleTime,
  updatedAt: exampleTime,
  user: { name: "Ada Lovelace", email: "ada@example.com" },
};

const botId = idPath("bot.not_found");
const success = "success" as const;
const tag = "Collaborators";
const toBot = { role: "GUEST", botId: exampleId, type: "READ" } as const;

export const collaboratorOperations: readonly Operation[] = [
  operation({
    id: "listCollaborators",
    method: "GET",
    path: "/api/v1/bots/:botId/collaborators",
    tag,
    summary: "List who collaborates on a bot",
    isCompatible: true,
    auth: needsToken("read"),
    params: Type.Object({ botId }),
    query: PageQuery,
    answer: Type.Object({ collaborators: Type.Array(CollaboratorSchema), nextCursor: NextCursor }),
    answerExample: { collaborators: [collaboratorExample] },
    errors: ["workspace.suspended", "cursor.invalid"],
    handle: async (deps, { caller, params, query, dialect }) =>
      listCollaborators(deps, caller, params.botId, pageFor(dialect, query)),
  }),
  operation({
    id: "inviteCollaborator",
    method: "PUT",
    path: "/api/v1/bots/:botId/collaborators",
    tag,
    summary: "Invite an e-mail address to a bot, or change what its collaborator may do",
    description:
      "`collaborator` is null where the address is no collaborator's: it is invited, whether it has an account here or not.",
    auth: needsToken("write"),
    params: Type.Object({ botId }),
    body: Type.Object({ email: EmailInput, type: CollaborationType }),
    bodyExample: { email: "ada@example.com", type: "READ" },
    answer: Type.Object({ collaborator: nullable(CollaboratorSchema), invitation: nullable(NewInvitationSchema) }),
    answerExample: {
      collaborator: null,
      invitation: { ...newInvitationExample, ...toBot },
    },
    errors: ["workspace.suspended", "workspace.forbidden", "invitation.not_mailed"],
    handle: async (deps, { caller, params, body }) => putCollaboratorByEmail(deps, caller, params.botId, body),
  }),
  operation({
    id: "setCollaborator",
    method: "PUT",
    path: "/api/v1/bots/:botId/collaborators/:userId",
    tag,
    summary: "Let a user read or write one bot",
    description: "Who is no member of its workspace becomes a GUEST there.",
    auth: needsToken("write"),
    params: Type.Object({ botId, userId: idPath("user.not_found") }),
    body: Type.Object({ type: CollaborationType }),
    bodyExample: { type: "READ" },
    answer: Type.Object({ collaborator: CollaboratorSchema }),
    answerExample: { collaborator: collaboratorExample },
    errors: ["workspace.suspended", "workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => ({
      collaborator: await putCollaborator(deps, caller, params.botId, { userId: params.userId, type: body.type }),
    }),
  }),
  operation({
    id: "removeCollaborator",
    method: "DELETE",
    path: "/api/v1/bots/:botId/collaborators/:userId",
    tag,
    summary: "End a collaboration, or one's own",
    auth: needsToken("write"),
    params: Type.Object({ botId, userId: idPath("collaborator.not_found") }),
    answer: Type.Object({ message: Type.Literal(success) }),
    answerExample: { message: success },
    errors: ["workspace.suspended", "workspace.forbidden"],
    handle: async (deps, { caller, params }) => {
      await removeCollaborator(deps, caller, params.botId, params.userId);
      return { message: success };
    },
  }),
  operation({
    id: "listBotInvitations",
    method: "GET",
    path: "/api/v1/bots/:botId/invitations",
    tag,
    summary: "List the open invitations to a bot",
    auth: needsToken("read"),
    params: Type.Object({ botId }),
    query: PageQuery,
    answer: Type.Object({ invitations: Type.Array(InvitationSchema), nextCursor: NextCursor }),
    answerExample: { invitations: [{ ...invitationExample, ...toBot }] },
    errors: ["workspace.suspended", "workspace.forbidden", "cursor.invalid"],
    handle: async (deps, { caller, params, query }) => listBotInvitations(deps, caller, params.botId, query),
  }),
  operation({
    id: "deleteBotInvitation",
    method: "DELETE",
    path: "/api/v1/bots/:botId/invitations/:invitationId",
    tag,
    summary: "Take an invitation to a bot back",
    auth: needsToken("write"),
    params: Type.Object({ botId, invitationId: idPath("invitation.not_found") }),
    answer: Type.Object({ invitation: InvitationSchema }),
    answerExample: { invitation: { ...invitationExample, ...toBot } },
    errors: ["workspace.suspended", "workspace.forbidden"],
    handle: async (deps, { caller, params }) => ({ invitation: await revokeBotInvitation(deps, caller, params) }),
  }),
];
