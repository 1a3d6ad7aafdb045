import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import {
  CodeInput,
  described,
  EmailInput,
  exampleId,
  exampleTime,
  Id,
  IdInput,
  NameInput,
  nullable,
  pageOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import { needsToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import {
  activateUser,
  createUser,
  deactivateUser,
  getOwnUser,
  getUser,
  listUsers,
  updateOwnUser,
  updateUser,
} from "./users.ts";

export const UserSchema = resource(
  "User",
  {
    id: Id,
    name: Type.String(),
    email: nullable(Type.String()),
    isAdministrator: Type.Boolean({
      description: "Whether they are an administrator of the instance, who may use tokens of scope `admin`.",
    }),
    deactivatedAt: described(nullable(Timestamp), "Time of deactivation; null if the user is active."),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A user, who owns tokens.",
  { name: "Ada Lovelace", email: "ada@example.com", isAdministrator: false, deactivatedAt: null },
);

const OwnUserSchema = resource(
  "OwnUser",
  {
    ...UserSchema.properties,
    preferences: Type.Record(Type.String(), Type.Unknown(), {
      description: "Preferences that pages store for the user; `{}` at first.",
    }),
  },
  "The user of the token or sign-in.",
  { ...UserSchema.example, preferences: { language: "de" } },
);

export const FirstTokenSchema = resource(
  "FirstToken",
  {
    id: Id,
    name: Type.String(),
    scope: Type.Literal("write", { description: "The token's scope." }),
    token: Type.String({ description: "The token. It is returned only here." }),
    allows: Type.Array(Type.String(), { description: "The token's rights, as sentences to show." }),
  },
  "The first token of a new user.",
  {
    name: "First token",
    scope: "write",
    token: "parley_3vJq0m8Zk1XcT5bW9yR2uLhE7dNfSaGpQoViCxMzB4k",
    allows: ["Read what its user may read, in every workspace and bot that is shared with them."],
  },
);

const operation = operationFor("Users");

export const userOperations: readonly Operation[] = [
  operation({
    id: "getMe",
    route: "GET /api/v1/users/me",
    summary: "Get the user of the token or sign-in",
    answer: Type.Object({ user: OwnUserSchema }),
    handle: async (deps, { caller }) => ({ user: await getOwnUser(deps, caller) }),
  }),
  operation({
    id: "updateOwnUser",
    route: "PATCH /api/v1/users/me",
    summary: "Change your name, e-mail address or preferences",
    description:
      "Fields that you leave out do not change. To change the e-mail address, you need a code that is sent to the new one: send `email` alone, and " +
      "then again with `emailCode`. `email: null` removes the address. `preferences` are replaced as a whole.",
    body: Type.Object({
      name: Type.Optional(NameInput),
      email: Type.Optional(nullable(EmailInput)),
      emailCode: Type.Optional(CodeInput),
      preferences: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: `Preferences that pages store for you: up to ${limits.signIns.preferencesBytes / 1024} kB as JSON.`,
        }),
      ),
    }),
    bodyExample: { name: "Ada King", preferences: { language: "de" } },
    answer: Type.Object({
      user: OwnUserSchema,
      isCodeSent: Type.Boolean({
        description: "Whether a code was sent to the new address. The address changes when you send the code.",
      }),
    }),
    answerExample: { user: { ...OwnUserSchema.example, name: "Ada King" }, isCodeSent: false },
    errors: ["user.email_taken", "sign_in.no_mail", "sign_in.code_invalid"],
    async handle(deps, { caller, body, admission }) {
      if (typeof body.email === "string") {
        const act = body.emailCode === undefined ? "codes" : "signIns";
        await admission.admit(act, { address: admission.address, user: caller.userId });
      }
      return await updateOwnUser(deps, caller, body);
    },
  }),
  operation({
    id: "listUsers",
    route: "GET /api/v1/users",
    summary: "List the instance's users",
    auth: needsToken("admin"),
    ...pageOf({ users: Type.Array(UserSchema) }),
    handle: async (deps, { query }) => listUsers(deps, query),
  }),
  operation({
    id: "createUser",
    route: "POST /api/v1/users",
    summary: "Create a user",
    description: "The answer holds the user's first token; its text is shown only here.",
    auth: needsToken("admin"),
    body: Type.Object({ name: NameInput, email: Type.Optional(nullable(EmailInput)) }),
    bodyExample: { name: "Ada Lovelace", email: "ada@example.com" },
    answer: Type.Object({ user: UserSchema, apiToken: FirstTokenSchema }),
    errors: ["user.email_taken"],
    handle: async (deps, { body }) => createUser(deps, { name: body.name, email: body.email ?? null }),
  }),
  operation({
    id: "getUser",
    route: "GET /api/v1/users/:userId",
    summary: "Get a user",
    auth: needsToken("admin"),
    answer: Type.Object({ user: UserSchema }),
    handle: async (deps, { params }) => ({ user: await getUser(deps, params.userId) }),
  }),
  operation({
    id: "updateUser",
    route: "PATCH /api/v1/users/:userId",
    summary: "Rename a user, or change their e-mail address",
    description: "Fields that you leave out do not change; `email: null` removes the address.",
    auth: needsToken("admin"),
    body: Type.Object({ name: Type.Optional(NameInput), email: Type.Optional(nullable(EmailInput)) }),
    bodyExample: { name: "Ada King" },
    answer: Type.Object({ user: UserSchema }),
    answerExample: { user: { ...UserSchema.example, name: "Ada King" } },
    errors: ["user.email_taken"],
    handle: async (deps, { params, body }) => ({ user: await updateUser(deps, params.userId, body) }),
  }),
  operation({
    id: "deactivateUser",
    route: "POST /api/v1/users/:userId/deactivate",
    summary: "Deactivate a user",
    description:
      "Their tokens and sign-ins end immediately and for good, on every node. Their memberships and everything they created stay. The last active administrator cannot be deactivated. " +
      "If they are the last active ADMIN of a workspace, the response is 409 with those workspaces, unless `successorId` names another user, " +
      "who becomes ADMIN there.",
    auth: needsToken("admin"),
    body: Type.Object({
      successorId: Type.Optional(described(nullable(IdInput), "Id of the user who becomes ADMIN of their workspaces.")),
    }),
    bodyExample: { successorId: exampleId },
    answer: Type.Object({ user: UserSchema }),
    answerExample: { user: { ...UserSchema.example, deactivatedAt: exampleTime } },
    errors: ["user.last_administrator", "user.last_admin"],
    handle: async (deps, { params: { userId }, body }) => ({
      user: await deactivateUser(deps, { userId, successorId: body.successorId ?? undefined }),
    }),
  }),
  operation({
    id: "activateUser",
    route: "POST /api/v1/users/:userId/activate",
    summary: "Activate a user again",
    description: "They can sign in again, and need new tokens: theirs ended when they were deactivated.",
    auth: needsToken("admin"),
    answer: Type.Object({ user: UserSchema }),
    handle: async (deps, { params }) => ({ user: await activateUser(deps, params.userId) }),
  }),
];
