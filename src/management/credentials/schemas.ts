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
  isSet: Type.Boolean({ description: "As in a response: the stored value does not change." }),
  ends: Type.Optional(Type.String({ description: "Its last four characters, as in a response." })),
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
      description: `The fields of its type. A text has at most ${limits.credentials.memberCharacters} characters.`,
      elsewhere: { whatsApp: ofMessengers, telegram: ofMessengers },
    },
  ),
);

/** The changed fields of any type. The schema of the type checks them once the type is known. */
export const CredentialsDataChange = Type.Unsafe<CredentialsData>(
  Type.Object(Object.fromEntries(allMembers().map((member) => [member, changeOf(member)])), {
    description: `The fields that change, as its type has them: ${kinds.map(fieldsOf).join("; ")}.`,
  }),
);

/** Makes optional fields nullable. Null counts as absent. */
function withNulls(schema: TObject): TObject {
  const fields = Object.entries(schema.properties).map(([member, field]): [string, TSchema] => [
    member,
    schema.required?.includes(member) ? field : Type.Optional(nullable(field)),
  ]);
  return Type.Object(Object.fromEntries(fields), { description: "Its fields." });
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
  isReadable: Type.Boolean({ description: "False if no key of this instance decrypts them (`ENCRYPTION_KEY`)." }),
  lastUsedAt: nullable(Type.Union([Timestamp], { description: "Time of the last use, to the minute." })),
  lastProblem: nullable(
    Type.Object(
      {
        message: Type.String({ description: "The provider's message, without keys." }),
        at: described(Timestamp, "Time of the refusal."),
      },
      {
        description:
          "A provider refused the key or the connected account in a live chat, and they were neither changed nor tested with success since; null otherwise.",
      },
    ),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const ListedCredentialsSchema = resource("ListedCredentials", listedProperties, "The names of credentials.", {
  type: "openai",
  name: "Our account",
  isReadable: true,
  lastUsedAt: null,
  lastProblem: null,
});

const credentialsProperties = {
  ...listedProperties,
  data: Type.Record(Type.String(), Type.Unknown(), {
    description:
      "The fields. Secret values are never returned. In their place you get whether they are set and, for values of 12 or more characters, the last four.",
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
          description: "Whether the published version or the canary uses them; otherwise the draft does.",
        }),
        isDeleted: Type.Boolean({ description: "Whether the bot is in the bin." }),
      }),
      { description: "The bots that use them, at most 100: first those whose published version does." },
    ),
  },
  "Credentials, and the bots that use them.",
  { ...credentialsExample, usedBy: [] },
);
