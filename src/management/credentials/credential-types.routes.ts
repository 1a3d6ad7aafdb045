import { Type } from "@sinclair/typebox";
import { credentialsKinds } from "../../core/credentials/index.ts";
import type { CredentialsKind } from "../../core/credentials/kind.ts";
import { formSchema } from "../../core/flow/field-titles.ts";
import { isJsonObject, type JsonObject } from "../../core/interpreter/flow.ts";
import { nullable, oneOf } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";

const CredentialTypeSchema = Type.Object(
  {
    type: Type.String({ description: "The value of `type` in credentials." }),
    name: Type.String({ description: "The name of the service." }),
    summary: Type.String({ description: "The purpose of the credentials, in one sentence." }),
    page: Type.String({ description: "The page of `docs/` that describes how to get the credentials." }),
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description:
        "JSON Schema of `data`, with titles and the annotations that forms need: see docs/block-catalogue.md. Fields with the widget `kept` are written by Parley.",
    }),
    secretMembers: Type.Array(Type.String(), { description: "Fields that are written and never returned." }),
    connects: nullable(
      oneOf(["google"], { description: "The provider at which people connect an account instead of entering a key." }),
    ),
    isTestable: Type.Boolean({
      description: "Whether the service has a request that costs nothing and shows whether the credentials are valid.",
    }),
  },
  { $id: "CredentialType", description: "A type of credentials, with everything that a form needs." },
);

type CredentialType = (typeof CredentialTypeSchema)["static"];

const operation = operationFor("Credentials");

export const credentialTypeOperations: readonly Operation[] = [
  operation({
    id: "listCredentialTypes",
    route: "GET /api/v1/credential-types",
    answer: Type.Object({
      credentialTypes: Type.Array(CredentialTypeSchema, {
        description: "The types in the order in which the builder lists them.",
      }),
    }),
    answerExample: {
      credentialTypes: [
        {
          ...{ type: "segment", name: "Segment", summary: "Events for a source of Segment.", page: "integrations.md" },
          schema: { type: "object", properties: { apiKey: { title: "Write key", type: "string", widget: "secret" } } },
          ...{ secretMembers: ["apiKey"], connects: null, isTestable: false },
        },
      ],
    },
    handle: () => ({ credentialTypes: listCredentialTypes() }),
  }),
];

let known: CredentialType[] | undefined;

/** Returns all types, in the order of the selection list. Creates the list on first use. */
export function listCredentialTypes(): CredentialType[] {
  known ??= [...credentialsKinds.values()].map((kind) => {
    const { type, name, summary, page, secretMembers, trial } = kind;
    return {
      ...{ type, name, summary, page, schema: schemaOf(kind), secretMembers: [...secretMembers] },
      connects: trial?.kind === "google" ? "google" : null,
      isTestable: trial?.kind !== "none",
    };
  });
  return known;
}

function schemaOf({ schema, secretMembers }: CredentialsKind): JsonObject {
  const marked = (form: JsonObject): JsonObject => {
    const { properties } = form;
    if (!isJsonObject(properties)) return form;
    const fields = Object.entries(properties).map(([member, field]) => {
      if (!isJsonObject(field)) return [member, field];
      // Credentials cannot contain variables, so texts get a widget without variables.
      const widget = secretMembers.includes(member) ? "secret" : "suggestion";
      return [member, field["type"] === "string" ? { widget, ...field } : marked(field)];
    });
    return { ...form, properties: Object.fromEntries(fields) };
  };
  return marked(formSchema(schema));
}
