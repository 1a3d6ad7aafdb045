import { Type } from "@sinclair/typebox";
import {
  described,
  Id,
  IdInput,
  NameInput,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
  TimestampInput,
} from "../../platform/http/schemas.ts";
import { scopes } from "../access/access.ts";
import { needsToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { createApiToken, listApiTokens, listTokensOfUser, revokeApiToken, revokeTokenOfUser } from "./api-tokens.ts";

const scopeWords = {
  description:
    "Scope: `read`; `write` for all rights of its user; or `admin`, which adds the rights of an instance administrator.",
};

const tokenProperties = {
  id: Id,
  name: Type.String(),
  scope: oneOf(scopes, scopeWords),
  workspaceId: described(
    nullable(Id),
    "Id of the only workspace in which the token is valid; null if it is valid in all workspaces.",
  ),
  expiresAt: described(nullable(Timestamp), "Time of expiry; null if the token never expires."),
  lastUsedAt: described(nullable(Timestamp), "Time of the last use, to the minute; null if the token was never used."),
  createdAt: Timestamp,
  madeBy: nullable(
    Type.String({
      description:
        "Id of the token that created this token, even if that token has ended; null if there is none or it is unknown.",
    }),
  ),
  outlives: Type.Boolean({ description: "Whether the token stays valid when the token that created it ends." }),
  allows: Type.Array(Type.String(), { description: "The token's rights as sentences for people." }),
};

const ApiTokenSchema = resource("ApiToken", tokenProperties, "A token, without its text.", {
  name: "Deployment",
  scope: "write",
  workspaceId: null,
  expiresAt: null,
  madeBy: null,
  outlives: false,
  allows: [
    "Read everything that its user may read, in every workspace and bot that is shared with the user.",
    "Write what the user's role in a workspace allows: as ADMIN everything in the workspace, as MEMBER the workspace's folders and bots, but not its people, as GUEST the bots that they collaborate on with WRITE access.",
  ],
});

const NewApiTokenSchema = resource(
  "NewApiToken",
  {
    ...tokenProperties,
    token: Type.String({
      description: "The token. It is returned only in this response, because Parley stores only its hash.",
    }),
  },
  "A new token, with its text.",
);

const operation = operationFor("API tokens");

export const tokenOperations: readonly Operation[] = [
  operation({
    id: "listTokens",
    route: "GET /api/v1/users/me/api-tokens",
    ...pageOf({ apiTokens: Type.Array(ApiTokenSchema) }),
    handle: async (deps, { caller, query }) => listApiTokens(deps, caller, query),
  }),
  operation({
    id: "createToken",
    route: "POST /api/v1/users/me/api-tokens",
    body: Type.Object({
      name: NameInput,
      scope: Type.Optional(oneOf(scopes, { default: "write", ...scopeWords })),
      workspaceId: Type.Optional(
        described(
          nullable(IdInput),
          "Id of the only workspace in which the token is valid. Defaults to all workspaces.",
        ),
      ),
      expiresAt: Type.Optional(
        described(nullable(TimestampInput), "Time of expiry. By default, the token never expires."),
      ),
      outlives: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            "Whether the token stays valid when the token that creates it ends. Requires the role ADMIN in the workspace to which the token is bound. For a token that is not bound to a workspace, requires an administrator of the instance.",
        }),
      ),
    }),
    answer: Type.Object({ apiToken: NewApiTokenSchema }),
    answerExample: {
      apiToken: {
        ...ApiTokenSchema.example,
        lastUsedAt: null,
        token: "parley_3vJq0m8Zk1XcT5bW9yR2uLhE7dNfSaGpQoViCxMzB4k",
      },
    },
    errors: ["workspace.not_found", "workspace.forbidden"],
    handle: async (deps, { caller, body }) => ({
      apiToken: await createApiToken(deps, caller, {
        name: body.name,
        scope: body.scope,
        workspaceId: body.workspaceId ?? undefined,
        expiresAt: body.expiresAt ? new Date(body.expiresAt) : undefined,
        outlives: body.outlives ?? false,
      }),
    }),
  }),
  operation({
    id: "revokeToken",
    route: "DELETE /api/v1/users/me/api-tokens/:tokenId",
    answer: Type.Object({ apiToken: ApiTokenSchema }),
    handle: async (deps, { caller, params }) => ({
      apiToken: await revokeApiToken(deps, caller, params.tokenId),
    }),
  }),
  operation({
    id: "listUserTokens",
    route: "GET /api/v1/users/:userId/api-tokens",
    auth: needsToken("admin"),
    ...pageOf({ apiTokens: Type.Array(ApiTokenSchema) }),
    handle: async (deps, { params, query }) => listTokensOfUser(deps, params.userId, query),
  }),
  operation({
    id: "revokeUserToken",
    route: "DELETE /api/v1/users/:userId/api-tokens/:tokenId",
    auth: needsToken("admin"),
    answer: Type.Object({ apiToken: ApiTokenSchema }),
    handle: async (deps, { params }) => ({ apiToken: await revokeTokenOfUser(deps, params) }),
  }),
];
