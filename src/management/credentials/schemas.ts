import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { credentialsKinds } from "../../core/credentials/index.ts";
import type { CredentialsData, CredentialsKind } from "../../core/credentials/kind.ts";
import { limits } from "../../limits/index.ts";
import { NameInput, nullable } from "../../platform/http/schemas.ts";
import type { NewCredentials } from "./credentials.ts";

const kinds = [...credentialsKinds.values()];

/** The JSON types of fields; the schema of a kind bounds them. */
const jsonTypes: Readonly<Record<string, TSchema>> = {
  string: Type.String(),
  integer: Type.Integer(),
  boolean: Type.Boolean(),
  object: Type.Record(Type.String(), Type.Unknown()),
};

/** A secret in the form of a response: the stored one does not change. */
const Hint = Type.Object({
  isSet: Type.Boolean({ description: "As in a response: the stored value does not change." }),
  ends: Type.Optional(Type.String({ description: "Its last four characters, as in a response." })),
});

/** The body of new credentials: the type decides the fields. */
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
    { description: `The fields of its type. A text has at most ${limits.credentials.memberCharacters} characters.` },
  ),
);

/** The changed fields, of whatever type. The schema of the type checks them once it is known. */
export const CredentialsDataChange = Type.Unsafe<CredentialsData>(
  Type.Object(Object.fromEntries(allMembers().map((member) => [member, changeOf(member)])), {
    description: `The fields that change, as its type has them: ${kinds.map(fieldsOf).join("; ")}.`,
  }),
);

/** An optional field may be null, which is as good as absent. */
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

/** `google sheets` as a part of a name: `GoogleSheets`. */
function idOf({ type }: CredentialsKind): string {
  return type.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
