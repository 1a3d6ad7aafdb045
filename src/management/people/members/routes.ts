import { Type } from "@sinclair/typebox";
import { EmailInput, idPath, nullable, oneOf, pageOf } from "../../../platform/http/schemas.ts";
import { roles } from "../../access/access.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { NewInvitationSchema } from "./invitations.routes.ts";
import { listMembers, putMember, putMemberByEmail, removeMember } from "./members.ts";
import { MemberSchema } from "./schemas.ts";

const workspaceId = idPath("workspace.not_found");
const operation = operationFor("Members");

export const memberOperations: readonly Operation[] = [
  operation({
    id: "listMembers",
    route: "GET /api/v1/workspaces/:workspaceId/members",
    ...pageOf({ members: Type.Array(MemberSchema) }),
    handle: async (deps, { caller, params, query }) => listMembers(deps, caller, params.workspaceId, query),
  }),
  operation({
    id: "inviteMember",
    route: "PUT /api/v1/workspaces/:workspaceId/members",
    body: Type.Object({ email: EmailInput, role: oneOf(roles) }),
    answer: Type.Object({ member: nullable(MemberSchema), invitation: nullable(NewInvitationSchema) }),
    answerExample: { member: null, invitation: NewInvitationSchema.example },
    errors: ["member.last_admin", "invitation.not_mailed"],
    handle: async (deps, { caller, params, body }) => putMemberByEmail(deps, caller, params.workspaceId, body),
  }),
  operation({
    id: "setMember",
    route: "PUT /api/v1/workspaces/:workspaceId/members/:userId",
    body: Type.Object({ role: oneOf(roles) }),
    answer: Type.Object({ member: MemberSchema }),
    errors: ["member.last_admin"],
    handle: async (deps, { caller, params, body }) => {
      const wish = { userId: params.userId, role: body.role };
      return { member: await putMember(deps, caller, params.workspaceId, wish) };
    },
  }),
  operation({
    id: "removeMember",
    route: "DELETE /api/v1/workspaces/:workspaceId/members/:userId",
    params: Type.Object({ workspaceId, userId: idPath("member.not_found") }),
    answer: Type.Object({ member: MemberSchema }),
    errors: ["member.last_admin"],
    handle: async (deps, { caller, params }) => ({
      member: await removeMember(deps, caller, params.workspaceId, params.userId),
    }),
  }),
];
