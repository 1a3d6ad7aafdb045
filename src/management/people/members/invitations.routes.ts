import { Type } from "@sinclair/typebox";
import {
  described,
  EmailInput,
  Id,
  NameInput,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
} from "../../../platform/http/schemas.ts";
import { roles } from "../../access/access.ts";
import { signIn } from "../../access/sign-ins.ts";
import { mayHaveToken } from "../../operations/authentication.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { browserName } from "../browser-name.ts";
import { FirstTokenSchema, UserSchema } from "../users.routes.ts";
import { acceptInvitation, createInvitation, listInvitations, revokeInvitation } from "./invitations.ts";
import { MemberSchema } from "./schemas.ts";

const invitationProperties = {
  id: Id,
  workspaceId: Id,
  email: Type.String(),
  role: oneOf(roles),
  botId: described(nullable(Id), "Id of the bot; null for an invitation to the whole workspace."),
  type: nullable(oneOf(["READ", "WRITE"], { description: "The collaborator's access to the bot." })),
  expiresAt: Type.Unsafe<Date | string>({ ...Timestamp, description: "Time at which the code expires." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const InvitationSchema = resource("Invitation", invitationProperties, "An open invitation.", {
  email: "ada@example.com",
  role: "MEMBER",
  botId: null,
  type: null,
  expiresAt: "2026-08-29T06:05:06.000Z",
});

const exampleCode = "q2Zs8Lw0nT5vYb1KcR7uXeJ4hDfGmPaVoIiCxMzB9kE";

export const NewInvitationSchema = resource(
  "NewInvitation",
  {
    ...invitationProperties,
    code: nullable(
      Type.String({
        description:
          "The code, which you must give to the invited person. It is returned only in this response. Null if this instance sends e-mail, because the code was then sent to the invited address.",
      }),
    ),
  },
  "A new invitation, with its code.",
  { ...InvitationSchema.example, code: exampleCode },
);

const operation = operationFor("Invitations");

export const invitationOperations: readonly Operation[] = [
  operation({
    id: "listInvitations",
    route: "GET /api/v1/workspaces/:workspaceId/invitations",
    ...pageOf({ invitations: Type.Array(InvitationSchema) }),
    handle: async (deps, { caller, params, query }) => listInvitations(deps, caller, params.workspaceId, query),
  }),
  operation({
    id: "createInvitation",
    route: "POST /api/v1/workspaces/:workspaceId/invitations",
    body: Type.Object({ email: EmailInput, role: Type.Optional(oneOf(roles, { default: "MEMBER" })) }),
    answer: Type.Object({ invitation: NewInvitationSchema }),
    errors: ["invitation.not_mailed"],
    handle: async (deps, { caller, params, body }) => {
      const wish = { email: body.email, role: body.role ?? "MEMBER" };
      return { invitation: await createInvitation(deps, caller, params.workspaceId, wish) };
    },
  }),
  operation({
    id: "deleteInvitation",
    route: "DELETE /api/v1/workspaces/:workspaceId/invitations/:invitationId",
    answer: Type.Object({ invitation: InvitationSchema }),
    handle: async (deps, { caller, params }) => ({
      invitation: await revokeInvitation(deps, caller, params),
    }),
  }),
  operation({
    id: "acceptInvitation",
    route: "POST /api/v1/invitations/accept",
    act: "attempts",
    auth: mayHaveToken,
    body: Type.Object({ code: Type.String({ maxLength: 200, description: "The one-time code." }), name: NameInput }),
    bodyExample: { code: exampleCode, name: "Ada Lovelace" },
    answer: Type.Object({ user: UserSchema, member: MemberSchema, apiToken: nullable(FirstTokenSchema) }),
    errors: ["token.scope", "invitation.not_found", "invitation.other_address"],
    async handle(deps, { caller, body, cookie, headers }) {
      const accepted = await acceptInvitation(deps, caller, body);
      if (cookie && accepted.apiToken) {
        const browser = browserName(headers.get("user-agent"));
        const signedIn = await signIn(deps, accepted.user.id, { browser, method: "invitation" });
        if (signedIn) cookie.keep(signedIn.secret);
      }
      return accepted;
    },
  }),
];
