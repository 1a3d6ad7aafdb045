import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { isDirect, mainOrigin } from "../../platform/http/main-origin.ts";
import { IdInput, NameInput, oneOf } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { authorizeGoogle, finishGoogle, googleTypes } from "./google-accounts.ts";
import { CredentialsSchema } from "./schemas.ts";

const operation = operationFor("Credentials");
const base = "/api/v1/workspaces/:workspaceId/credentials/google";
const word = (description: string) =>
  Type.Optional(Type.String({ maxLength: limits.credentials.memberCharacters, description }));

export const googleAccountOperations: readonly Operation[] = [
  operation({
    id: "authorizeGoogle",
    route: `POST ${base}/authorize`,
    body: Type.Object({
      for: oneOf(googleTypes, { description: "The type of the credentials." }),
      name: { ...NameInput, description: "The name for new credentials." },
      credentialsId: Type.Optional({
        ...IdInput,
        description: "Id of the credentials that get the account. Absent: new credentials are created.",
      }),
      hasLabels: Type.Optional(
        Type.Boolean({ description: "Only for `gmail`: whether e-mails get labels, which requires more permissions." }),
      ),
    }),
    answer: Type.Object({ url: Type.String({ description: "URL of Google's consent page." }) }),
    errors: [
      "workspace.takes_nothing",
      "oauth.no_client",
      "oauth.no_builder",
      "credentials.not_found",
      "credentials.unreadable",
      "secret.no_key",
    ],
    handle: async (deps, { caller, params: { workspaceId }, body, request }) => {
      const asked = { requestOrigin: mainOrigin(deps, request), isDirect: isDirect(deps, request) };
      return { url: await authorizeGoogle(deps, caller, workspaceId, { ...body, asked }) };
    },
  }),
  operation({
    id: "finishGoogle",
    route: `POST ${base}/finish`,
    body: Type.Object({
      state: Type.String({ maxLength: 200, description: "The `state` parameter of Google's redirect URL." }),
      code: word("The `code` parameter of Google's redirect URL."),
      error: word("The `error` parameter of Google's redirect URL, if Google refused."),
    }),
    answer: Type.Object({ credentials: CredentialsSchema }),
    errors: [
      "workspace.takes_nothing",
      "oauth.state_invalid",
      "oauth.refused",
      "oauth.no_client",
      "credentials.not_found",
      "credentials.unreadable",
      "credentials.provider_failed",
      "credentials.too_many",
      "secret.no_key",
      "server.overloaded",
    ],
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      credentials: await finishGoogle(deps, caller, workspaceId, body),
    }),
  }),
];
