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
    ...pageOf({ credentials: Type.Array(ListedCredentialsSchema) }),
    handle: async (deps, { caller, params: { workspaceId }, query }) =>
      listCredentials(deps, caller, workspaceId, query),
  }),
  operation({
    id: "createCredentials",
    route: `POST ${base}`,
    body: NewCredentialsBody,
    answer: Type.Object({ credentials: CredentialsSchema }),
    errors: ["workspace.takes_nothing", "credentials.too_many", "secret.no_key"],
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      credentials: await createCredentials(deps, caller, workspaceId, body),
    }),
  }),
  operation({
    id: "getCredentials",
    route: `GET ${base}/:credentialsId`,
    auth: needsToken("write"),
    answer: Type.Object({ credentials: UsedCredentialsSchema }),
    handle: async (deps, { caller, params: place }) => ({ credentials: await getCredentials(deps, caller, place) }),
  }),
  operation({
    id: "updateCredentials",
    route: `PATCH ${base}/:credentialsId`,
    body: Type.Object({ name: Type.Optional(NameInput), data: Type.Optional(CredentialsDataChange) }),
    answer: Type.Object({ credentials: CredentialsSchema }),
    errors: ["credentials.unreadable", "secret.no_key", "server.overloaded"],
    handle: async (deps, { caller, params: place, body }) => ({
      credentials: await updateCredentials(deps, caller, place, body),
    }),
  }),
  operation({
    id: "deleteCredentials",
    route: `DELETE ${base}/:credentialsId`,
    query: Type.Object({
      force: Type.Optional(
        Type.Boolean({ description: "Whether to delete the credentials even if a published bot uses them." }),
      ),
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
    answer: Type.Object({
      test: Type.Object(
        {
          isAccepted: nullable(
            Type.Boolean({
              description:
                "Whether the service accepts the credentials; null if the service has no suitable request that costs nothing.",
            }),
          ),
          status: nullable(Type.Integer({ description: "The service's HTTP status, if it responded." })),
          message: Type.String({ description: "The service's message, in one sentence." }),
        },
        { description: "The outcome of the test." },
      ),
    }),
    errors: ["credentials.unreadable"],
    handle: async (deps, { caller, params: place }) => ({ test: await testCredentials(deps, caller, place) }),
  }),
  operation({
    id: "listModels",
    route: `GET ${base}/:credentialsId/models`,
    auth: needsToken("write"),
    answer: Type.Object({
      models: Type.Array(Type.String(), { description: "Names of models, in the provider's order." }),
    }),
    errors: ["credentials.unreadable", "credentials.no_models", "credentials.provider_failed"],
    handle: async (deps, { caller, params: place }) => ({ models: await listModels(deps, caller, place) }),
  }),
];
