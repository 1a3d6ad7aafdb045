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
    summary: "List a workspace's members",
    ...pageOf({ members: Type.Array(MemberSchema) }),
    handle: async (deps, { caller, params, query }) => listMembers(deps, caller, params.workspaceId, query),
  }),
  operation({
    id: "inviteMember",
    route: "PUT /api/v1/workspaces/:workspaceId/members",
    summary: "Invite an e-mail address, or change the role of the member who has it",
    description:
      "`member` is null if the address belongs to no member. The address is then invited, with or without an account on this instance. The last ADMIN keeps that role.",
    body: Type.Object({ email: EmailInput, role: oneOf(roles) }),
    bodyExample: { email: "ada@example.com", role: "MEMBER" },
    answer: Type.Object({ member: nullable(MemberSchema), invitation: nullable(NewInvitationSchema) }),
    answerExample: { member: null, invitation: NewInvitationSchema.example },
    errors: ["member.last_admin", "invitation.not_mailed"],
    handle: async (deps, { caller, params, body }) => putMemberByEmail(deps, caller, params.workspaceId, body),
  }),
  operation({
    id: "setMember",
    route: "PUT /api/v1/workspaces/:workspaceId/members/:userId",
    summary: "Add a user, or change their role",
    description:
      "The last ADMIN keeps that role. The answer has the user's e-mail address only if you could see it before, as somebody who shares a workspace with them.",
    body: Type.Object({ role: oneOf(roles) }),
    bodyExample: { role: "ADMIN" },
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
    summary: "Remove a member, or leave",
    description:
      "ADMINs can remove any member, and every member except the last ADMIN can leave. Their collaborations on the workspace's bots also end.",
    params: Type.Object({ workspaceId, userId: idPath("member.not_found") }),
    answer: Type.Object({ member: MemberSchema }),
    errors: ["member.last_admin"],
    handle: async (deps, { caller, params }) => ({
      member: await removeMember(deps, caller, params.workspaceId, params.userId),
    }),
  }),
];
