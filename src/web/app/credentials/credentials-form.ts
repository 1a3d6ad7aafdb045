import { signal } from "@preact/signals";
import { type Answer, isRecord } from "../api/index.ts";
import type { CredentialType, FieldSchema, FormContext, Path } from "../forms/index.ts";
import type { ErrorOf } from "../page-parts/submit.ts";
import type { WordsOf } from "../words/index.ts";

export type Credential = Answer<"GET /api/v1/workspaces/:workspaceId/credentials">["credentials"][number];
export type Data = Readonly<Record<string, unknown>>;

export function serviceName(
  { type, name }: Pick<CredentialType, "type" | "name">,
  words: WordsOf<"credentials">,
): string {
  return type === "smtp" ? words.mailServer : name;
}

/** Returns the schema without the fields that only Parley writes. */
export function drawnOf(schema: FieldSchema): FieldSchema {
  const drawn = Object.entries(schema.properties ?? {}).filter(([, { widget }]) => widget !== "kept");
  return { ...schema, properties: Object.fromEntries(drawn) };
}

/**
 * Returns the form's schema, with the last characters of stored secrets as hints, and the stored data without the
 * secrets.
 */
export function formOf({ schema, secretMembers }: CredentialType, stored: Data) {
  const entries = Object.entries<FieldSchema>(schema.properties ?? {}).map(([member, field]) => {
    const hint = secretMembers.includes(member) ? stored[member] : undefined;
    if (!isRecord(hint) || hint["isSet"] !== true) return [member, field] as const;
    return [member, { ...field, keptEnds: typeof hint["ends"] === "string" ? hint["ends"] : "" }] as const;
  });
  const data = Object.entries(stored).filter(([member]) => !secretMembers.includes(member));
  return { schema: { ...schema, properties: Object.fromEntries(entries) }, data: Object.fromEntries(data) };
}

/** Whether the webhook secret is set for each mode (test or live) that has a secret key of the payment provider. */
export function isReported(stored: Data): boolean {
  const isSet = (member: string): boolean => isRecord(stored[member]) && stored[member]["isSet"] === true;
  return ["live", "test"].every((mode) => isSet(`${mode}WebhookSecret`) || !isSet(`${mode}SecretKey`));
}

/** Returns the required texts of new credentials, by member. */
export function requiredTexts({ schema }: CredentialType, typed: Data): Readonly<Record<string, string>> {
  const members = (schema.required ?? []).filter((member) => schema.properties?.[member]?.type === "string");
  return Object.fromEntries(members.map((member) => [member, String(typed[member] ?? "")]));
}

/** Returns the data with the value set at the path. An undefined value removes the key. */
export function withValueAt(data: Data, [key, ...rest]: Path, value: unknown): Data {
  if (key === undefined) return data;
  const { [key]: before, ...others } = data;
  const next = rest.length === 0 ? value : withValueAt(isRecord(before) ? before : {}, rest, value);
  return next === undefined ? others : { ...others, [key]: next };
}

/**
 * Returns the members of the form in the format of the API. Null removes a member. A secret that was not typed is
 * omitted, so that the service retains the stored one.
 */
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

/** Returns the form context for a form outside a flow. */
export function contextOf(schema: FieldSchema, errorOf: ErrorOf): FormContext {
  return {
    ...{ variables: signal([]), hasVariables: false, makeVariable: () => "", isReadOnly: false },
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
