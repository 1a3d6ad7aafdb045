import { Type } from "@sinclair/typebox";
import { secretNamePattern } from "../../core/interpreter/language/secret-tokens.ts";
import { limits } from "../../limits/index.ts";
import { Id, idPath, nullable, pageOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { deleteSecret, getSecret, listSecrets, putSecret } from "./secrets.ts";

const SecretSchema = resource(
  "Secret",
  {
    workspaceId: Id,
    name: Type.String(),
    hosts: nullable(Type.Array(Type.String(), { description: "The hosts to which the secret may be sent." })),
    note: nullable(Type.String({ description: "The purpose of the secret." })),
    isReadable: Type.Boolean({
      description: "False if this instance has no key that decrypts the secret (`ENCRYPTION_KEY`).",
    }),
    lastUsedAt: nullable(Type.Union([Timestamp], { description: "Time of the last use, to the minute." })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A value that flows can use. Nobody can read it after it is stored.",
  { name: "CRM_KEY", hosts: ["crm.example.com"], note: null, isReadable: true, lastUsedAt: null },
);

const params = Type.Object({
  workspaceId: idPath("workspace.not_found"),
  name: Type.String({ pattern: secretNamePattern, notFound: "secret.not_found", examples: ["CRM_KEY"] }),
});
/** The parameters of a write, which may contain the name of a new secret. */
const namingParams = Type.Object({
  workspaceId: params.properties.workspaceId,
  name: Type.String({
    pattern: secretNamePattern,
    expected: "a capital letter and up to 63 capital letters, digits and underscores, such as CRM_KEY",
    examples: ["CRM_KEY"],
  }),
});
const operation = operationFor("Secrets");
const base = "/api/v1/workspaces/:workspaceId/secrets";

export const secretOperations: readonly Operation[] = [
  operation({
    id: "listSecrets",
    route: `GET ${base}`,
    ...pageOf({ secrets: Type.Array(SecretSchema) }),
    handle: async (deps, { caller, params: { workspaceId }, query }) => listSecrets(deps, caller, workspaceId, query),
  }),
  operation({
    id: "getSecret",
    route: `GET ${base}/:name`,
    params,
    answer: Type.Object({ secret: SecretSchema }),
    handle: async (deps, { caller, params: place }) => ({ secret: await getSecret(deps, caller, place) }),
  }),
  operation({
    id: "setSecret",
    route: `PUT ${base}/:name`,
    params: namingParams,
    body: Type.Object({
      value: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.secrets.characters,
          description: "The value. Without it, the stored value does not change.",
        }),
      ),
      hosts: Type.Optional(
        nullable(
          Type.Array(
            Type.String({
              minLength: 1,
              maxLength: limits.fields.hostCharacters,
              pattern: "^[A-Za-z0-9._:-]+$",
              expected: "the name of a host such as crm.example.com",
            }),
            {
              minItems: 1,
              maxItems: limits.secrets.hosts,
              description: "The hosts to which the secret may be sent; null allows all hosts.",
            },
          ),
        ),
      ),
      note: Type.Optional(
        nullable(Type.String({ maxLength: limits.fields.noteCharacters, description: "The purpose of the secret." })),
      ),
    }),
    answer: Type.Object({ secret: SecretSchema }),
    errors: ["workspace.takes_nothing", "secret.too_many", "secret.no_key", "server.overloaded"],
    handle: async (deps, { caller, params: place, body }) => ({ secret: await putSecret(deps, caller, place, body) }),
  }),
  operation({
    id: "deleteSecret",
    route: `DELETE ${base}/:name`,
    params,
    query: Type.Object({
      force: Type.Optional(
        Type.Boolean({ description: "Whether to delete the secret even if a published bot uses it." }),
      ),
    }),
    answer: Type.Object({ secret: SecretSchema }),
    errors: ["secret.in_use"],
    handle: async (deps, { caller, params: place, query: { force = false } }) => ({
      secret: await deleteSecret(deps, caller, place, { isForced: force }),
    }),
  }),
];
