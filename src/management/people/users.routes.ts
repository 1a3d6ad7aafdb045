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
      description: "Whether the user is an administrator of the instance, who may use tokens with the scope `admin`.",
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
    token: Type.String({ description: "The token. It is returned only in this response." }),
    allows: Type.Array(Type.String(), { description: "The token's rights as sentences for people." }),
  },
  "The first token of a new user.",
  {
    name: "First token",
    scope: "write",
    token: "parley_3vJq0m8Zk1XcT5bW9yR2uLhE7dNfSaGpQoViCxMzB4k",
    allows: ["Read everything that its user may read, in every workspace and bot that is shared with the user."],
  },
);

const operation = operationFor("Users");

export const userOperations: readonly Operation[] = [
  operation({
    id: "getMe",
    route: "GET /api/v1/users/me",
    answer: Type.Object({ user: OwnUserSchema }),
    handle: async (deps, { caller }) => ({ user: await getOwnUser(deps, caller) }),
  }),
  operation({
    id: "updateOwnUser",
    route: "PATCH /api/v1/users/me",
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
    answer: Type.Object({
      user: OwnUserSchema,
      isCodeSent: Type.Boolean({
        description: "Whether a code was sent to the new address. The address changes after you send that code.",
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
    auth: needsToken("admin"),
    ...pageOf({ users: Type.Array(UserSchema) }),
    handle: async (deps, { query }) => listUsers(deps, query),
  }),
  operation({
    id: "createUser",
    route: "POST /api/v1/users",
    auth: needsToken("admin"),
    body: Type.Object({ name: NameInput, email: Type.Optional(nullable(EmailInput)) }),
    answer: Type.Object({ user: UserSchema, apiToken: FirstTokenSchema }),
    errors: ["user.email_taken"],
    handle: async (deps, { body }) => createUser(deps, { name: body.name, email: body.email ?? null }),
  }),
  operation({
    id: "getUser",
    route: "GET /api/v1/users/:userId",
    auth: needsToken("admin"),
    answer: Type.Object({ user: UserSchema }),
    handle: async (deps, { params }) => ({ user: await getUser(deps, params.userId) }),
  }),
  operation({
    id: "updateUser",
    route: "PATCH /api/v1/users/:userId",
    auth: needsToken("admin"),
    body: Type.Object({ name: Type.Optional(NameInput), email: Type.Optional(nullable(EmailInput)) }),
    answer: Type.Object({ user: UserSchema }),
    answerExample: { user: { ...UserSchema.example, name: "Ada King" } },
    errors: ["user.email_taken"],
    handle: async (deps, { params, body }) => ({ user: await updateUser(deps, params.userId, body) }),
  }),
  operation({
    id: "deactivateUser",
    route: "POST /api/v1/users/:userId/deactivate",
    auth: needsToken("admin"),
    body: Type.Object({
      successorId: Type.Optional(
        described(nullable(IdInput), "Id of the user who becomes ADMIN of the deactivated user's workspaces."),
      ),
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
    auth: needsToken("admin"),
    answer: Type.Object({ user: UserSchema }),
    handle: async (deps, { params }) => ({ user: await activateUser(deps, params.userId) }),
  }),
];
