import { Type } from "@sinclair/typebox";
import { NameInput, nullable, pageOf } from "../../platform/http/schemas.ts";
import { needsToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import {
  createCredentials,
  deleteCredentials,
  getCredentials,
  listCredentials,
  updateCredentials,
} from "./credentials.ts";
import { listModels, testCredentials } from "./credentials-trial.ts";
import {
  CredentialsDataChange,
  CredentialsSchema,
  ListedCredentialsSchema,
  NewCredentialsBody,
  UsedCredentialsSchema,
} from "./schemas.ts";

const operation = operationFor("Credentials");
const base = "/api/v1/workspaces/:workspaceId/credentials";

export const credentialsOperations: readonly Operation[] = [
  operation({
    id: "listCredentials",
    route: `GET ${base}`,
    summary: "List the names of a workspace's credentials",
    ...pageOf({ credentials: Type.Array(ListedCredentialsSchema) }),
    handle: async (deps, { caller, params: { workspaceId }, query }) =>
      listCredentials(deps, caller, workspaceId, query),
  }),
  operation({
    id: "createCredentials",
    route: `POST ${base}`,
    summary: "Create credentials for blocks that call another service",
    description:
      "Credentials are stored encrypted, and their secret fields are never returned. A secret is only sent to its own address: the `baseUrl` or host in the same credentials, or the provider's.",
    body: NewCredentialsBody,
    bodyExample: { type: "openai", name: "Our account", data: { apiKey: "sk-proj-00000000000000004f2a" } },
    answer: Type.Object({ credentials: CredentialsSchema }),
    errors: ["workspace.takes_nothing", "credentials.too_many", "secret.no_key"],
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      credentials: await createCredentials(deps, caller, workspaceId, body),
    }),
  }),
  operation({
    id: "getCredentials",
    route: `GET ${base}/:credentialsId`,
    summary: "Get credentials, without their secrets",
    auth: needsToken("write"),
    answer: Type.Object({ credentials: UsedCredentialsSchema }),
    handle: async (deps, { caller, params: place }) => ({ credentials: await getCredentials(deps, caller, place) }),
  }),
  operation({
    id: "updateCredentials",
    route: `PATCH ${base}/:credentialsId`,
    summary: "Change credentials",
    description:
      "Fields of `data` that you leave out do not change, and neither does a secret in the form of a response; null removes a field. If you change the address, send the secrets again.",
    body: Type.Object({ name: Type.Optional(NameInput), data: Type.Optional(CredentialsDataChange) }),
    bodyExample: { data: { apiKey: "sk-proj-00000000000000004f2a" } },
    answer: Type.Object({ credentials: CredentialsSchema }),
    errors: ["credentials.unreadable", "secret.no_key", "server.overloaded"],
    handle: async (deps, { caller, params: place, body }) => ({
      credentials: await updateCredentials(deps, caller, place, body),
    }),
  }),
  operation({
    id: "deleteCredentials",
    route: `DELETE ${base}/:credentialsId`,
    summary: "Delete credentials",
    description:
      "Takes effect immediately: blocks that use the credentials run without them, and log that. If the published version or the canary of a bot uses them, also of one in the bin, the request is refused with the bots in `data.bots`, unless you set `force`.",
    query: Type.Object({
      force: Type.Optional(Type.Boolean({ description: "Whether to delete them although a published bot uses them." })),
    }),
    answer: Type.Object({ credentials: CredentialsSchema }),
    errors: ["credentials.in_use"],
    handle: async (deps, { caller, params: place, query: { force = false } }) => ({
      credentials: await deleteCredentials(deps, caller, place, { isForced: force }),
    }),
  }),
  operation({
    id: "testCredentials",
    route: `POST ${base}/:credentialsId/test`,
    isAudited: false,
    summary: "Test credentials",
    description:
      "Sends a free request to the service, and returns its response without anything that looks like a key.",
    answer: Type.Object({
      test: Type.Object(
        {
          isAccepted: nullable(
            Type.Boolean({
              description:
                "Whether the service accepts the credentials; null if it has no free request that would show it.",
            }),
          ),
          status: nullable(Type.Integer({ description: "The service's HTTP status, if it responded." })),
          message: Type.String({ description: "The service's message, in one sentence." }),
        },
        { description: "The outcome." },
      ),
    }),
    answerExample: {
      test: { isAccepted: false, status: 401, message: "The server answered 401: Incorrect API key provided: •••." },
    },
    errors: ["credentials.unreadable"],
    handle: async (deps, { caller, params: place }) => ({ test: await testCredentials(deps, caller, place) }),
  }),
  operation({
    id: "listModels",
    route: `GET ${base}/:credentialsId/models`,
    summary: "List the models that credentials can use",
    description: "Returns the names in the provider's list, in its order.",
    auth: needsToken("write"),
    answer: Type.Object({
      models: Type.Array(Type.String(), { description: "Names of models, in the provider's order." }),
    }),
    answerExample: { models: ["gpt-5.4-mini"] },
    errors: ["credentials.unreadable", "credentials.no_models", "credentials.provider_failed"],
    handle: async (deps, { caller, params: place }) => ({ models: await listModels(deps, caller, place) }),
  }),
];
