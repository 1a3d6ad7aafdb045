import { signal } from "@preact/signals";
import { type Answer, isRecord } from "../api/index.ts";
import type { CredentialType, FieldSchema, FormContext, Path } from "../forms/index.ts";
import type { ErrorOf } from "../page-parts/submit.ts";
import type { WordsOf } from "../words/index.ts";

export type Credential = Answer<"GET /api/v1/workspaces/:workspaceId/credentials">["credentials"][number];
export type Data = Readonly<Record<string, unknown>>;

/** The name of a service. */
export function serviceName(
  { type, name }: Pick<CredentialType, "type" | "name">,
  words: WordsOf<"credentials">,
): string {
  return type === "smtp" ? words.mailServer : name;
}

/** The part of a schema that a form draws, without the fields that Parley writes itself. */
export function drawnOf(schema: FieldSchema): FieldSchema {
  const drawn = Object.entries(schema.properties ?? {}).filter(([, { widget }]) => widget !== "kept");
  return { ...schema, properties: Object.fromEntries(drawn) };
}

/** The schema with the ends of stored secrets, and the stored data without them. */
export function formOf({ schema, secretMembers }: CredentialType, stored: Data) {
  const entries = Object.entries<FieldSchema>(schema.properties ?? {}).map(([member, field]) => {
    const hint = secretMembers.includes(member) ? stored[member] : undefined;
    if (!isRecord(hint) || hint["isSet"] !== true) return [member, field] as const;
    return [member, { ...field, keptEnds: typeof hint["ends"] === "string" ? hint["ends"] : "" }] as const;
  });
  const data = Object.entries(stored).filter(([member]) => !secretMembers.includes(member));
  return { schema: { ...schema, properties: Object.fromEntries(entries) }, data: Object.fromEntries(data) };
}

/** Whether each mode with a secret key of a payment provider also has the secret of its reports. */
export function isReported(stored: Data): boolean {
  const isSet = (member: string): boolean => isRecord(stored[member]) && stored[member]["isSet"] === true;
  return ["live", "test"].every((mode) => isSet(`${mode}WebhookSecret`) || !isSet(`${mode}SecretKey`));
}

/** The texts that new credentials need, by their members. */
export function requiredTexts({ schema }: CredentialType, typed: Data): Readonly<Record<string, string>> {
  const members = (schema.required ?? []).filter((member) => schema.properties?.[member]?.type === "string");
  return Object.fromEntries(members.map((member) => [member, String(typed[member] ?? "")]));
}

/** The data with another value at a path. Without a value the key is removed. */
export function withValueAt(data: Data, [key, ...rest]: Path, value: unknown): Data {
  if (key === undefined) return data;
  const { [key]: before, ...others } = data;
  const next = rest.length === 0 ? value : withValueAt(isRecord(before) ? before : {}, rest, value);
  return next === undefined ? others : { ...others, [key]: next };
}

/** The changed members, in the service's form: null removes a member, and a secret that is not typed is kept. */
export function changesOf({ schema, secretMembers }: CredentialType, typed: Data): Data {
  const members = Object.entries(schema.properties ?? {}).filter(([, { widget }]) => widget !== "kept");
  return Object.fromEntries(
    members.flatMap(([member]) => {
      const value = typed[member];
      if (value !== undefined) return [[member, value]];
      return secretMembers.includes(member) ? [] : [[member, null]];
    }),
  );
}

/** The context of a form without a flow. */
export function contextOf(schema: FieldSchema, errorOf: ErrorOf): FormContext {
  return {
    ...{ variables: signal([]), makeVariable: () => "", isReadOnly: false },
    ...{ groups: () => [], bots: () => [], credentials: () => [] },
    errors: () => new Map(leavesOf(schema).flatMap((path) => problemAt(path, errorOf))),
  };
}

function problemAt(path: Path, errorOf: ErrorOf): readonly (readonly [string, string])[] {
  const problem = errorOf(String(path.at(-1)));
  return problem === undefined ? [] : [[path.join("."), problem]];
}

function leavesOf({ properties }: FieldSchema, path: Path = []): readonly Path[] {
  if (!properties) return [path];
  return Object.entries(properties).flatMap(([key, field]) => [...leavesOf(field, [...path, key]), [...path, key]]);
}
