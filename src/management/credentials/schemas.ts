import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { credentialsKinds } from "../../core/credentials/index.ts";
import type { CredentialsData, CredentialsKind } from "../../core/credentials/kind.ts";
import { limits } from "../../limits/index.ts";
import { described, Id, NameInput, nullable, oneOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import type { NewCredentials } from "./credentials.ts";

const kinds = [...credentialsKinds.values()];

/** The JSON types of fields. The schema of a credentials type limits their values further. */
const jsonTypes: Readonly<Record<string, TSchema>> = {
  string: Type.String(),
  integer: Type.Integer(),
  boolean: Type.Boolean(),
  object: Type.Record(Type.String(), Type.Unknown()),
};

/** A secret as it appears in responses. If a request contains it, the stored secret does not change. */
const Hint = Type.Object({
  isSet: Type.Boolean({
    description:
      "Whether the value is set, as in a response. If you send this object, the stored value does not change.",
  }),
  ends: Type.Optional(Type.String({ description: "The last four characters of the value, as in a response." })),
});

/** Accounts of messengers are not credentials, because they have bots, contacts and a webhook. */
const ofMessengers =
  "is not a type of credentials: connect a messenger with POST /api/v1/workspaces/{workspaceId}/channel-connections, or in the builder under Channels; GET /api/v1/channel-types lists the kinds";

/** The body of new credentials. The type determines the fields. */
export const NewCredentialsBody = Type.Unsafe<NewCredentials>(
  Type.Union(
    kinds.map((kind) =>
      Type.Object(
        {
          type: Type.Literal(kind.type, { description: "The type of the service." }),
          name: NameInput,
          data: withNulls(kind.schema),
        },
        { $id: `New${idOf(kind)}Credentials`, description: kind.summary },
      ),
    ),
    {
      description: `The fields for this type of credentials. Each text has at most ${limits.credentials.memberCharacters} characters.`,
      elsewhere: { whatsApp: ofMessengers, telegram: ofMessengers },
    },
  ),
);

/** The changed fields of any type. The schema of the type checks them once the type is known. */
export const CredentialsDataChange = Type.Unsafe<CredentialsData>(
  Type.Object(Object.fromEntries(allMembers().map((member) => [member, changeOf(member)])), {
    description: `The fields to change, by type of credentials: ${kinds.map(fieldsOf).join("; ")}.`,
  }),
);

/** Makes optional fields nullable. Null counts as absent. */
function withNulls(schema: TObject): TObject {
  const fields = Object.entries(schema.properties).map(([member, field]): [string, TSchema] => [
    member,
    schema.required?.includes(member) ? field : Type.Optional(nullable(field)),
  ]);
  return Type.Object(Object.fromEntries(fields), { description: "The fields of the credentials." });
}

function allMembers(): readonly string[] {
  return [...new Set(kinds.flatMap(({ schema }) => Object.keys(schema.properties)))];
}

function changeOf(member: string): TSchema {
  const having = kinds.filter(({ schema }) => schema.properties[member]);
  const descriptions = having.map(({ schema }) => schema.properties[member]?.description ?? "");
  const description = [...new Set(descriptions)].join(" Or: ");
  const isSecret = having.some(({ secretMembers }) => secretMembers.includes(member));
  const types = [...new Set(having.map(({ schema }) => schema.properties[member]?.["type"]))];
  const values = types.flatMap((type) => jsonTypes[String(type)] ?? []);
  return Type.Optional(Type.Union([...values, Type.Null(), ...(isSecret ? [Hint] : [])], { description }));
}

function fieldsOf({ type, schema }: CredentialsKind): string {
  const members = Object.keys(schema.properties).map((name) =>
    schema.required?.includes(name) ? `\`${name}\`` : `\`${name}\` (optional)`,
  );
  return `\`${type}\`: ${members.join(", ")}`;
}

/** Converts a type such as `google sheets` to a part of a name: `GoogleSheets`. */
function idOf({ type }: CredentialsKind): string {
  return type.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const listedProperties = {
  id: Id,
  workspaceId: Id,
  type: oneOf([...credentialsKinds.keys()], { description: "The type of the service." }),
  name: Type.String(),
  isReadable: Type.Boolean({
    description: "False if this instance has no key that decrypts the credentials (`ENCRYPTION_KEY`).",
  }),
  lastUsedAt: nullable(Type.Union([Timestamp], { description: "Time of the last use, to the minute." })),
  lastProblem: nullable(
    Type.Object(
      {
        message: Type.String({ description: "The provider's message, without keys." }),
        at: described(Timestamp, "Time at which the provider rejected the credentials."),
      },
      {
        description:
          "The provider's rejection of the key or the connected account in a live chat; null if there was none, or if the credentials were changed or successfully tested afterwards.",
      },
    ),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const ListedCredentialsSchema = resource(
  "ListedCredentials",
  listedProperties,
  "Credentials as in a list, with their name and without their fields.",
  {
    type: "openai",
    name: "Our account",
    isReadable: true,
    lastUsedAt: null,
    lastProblem: null,
  },
);

const credentialsProperties = {
  ...listedProperties,
  data: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "The fields. Secret values are never returned. Instead, the response says whether each secret is set and, for values of 12 or more characters, has the last four characters.",
  }),
};

const credentialsExample = {
  ...ListedCredentialsSchema.example,
  data: { apiKey: { isSet: true, ends: "4f2a" }, baseUrl: "https://api.openai.com/v1" },
};

export const CredentialsSchema = resource(
  "Credentials",
  credentialsProperties,
  "Credentials with which blocks call another service, without their secrets.",
  credentialsExample,
);

export const UsedCredentialsSchema = resource(
  "UsedCredentials",
  {
    ...credentialsProperties,
    usedBy: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        isPublished: Type.Boolean({
          description:
            "Whether the published version or the canary uses the credentials; otherwise only the draft uses them.",
        }),
        isDeleted: Type.Boolean({ description: "Whether the bot is in the bin." }),
      }),
      {
        description:
          "The bots that use the credentials, at most 100. Bots whose published version uses them come first.",
      },
    ),
  },
  "Credentials, and the bots that use them.",
  { ...credentialsExample, usedBy: [] },
);
