import type { CredentialsData, CredentialsKind } from "./kind.ts";

/** What is shown of a secret: whether there is one, and how it ends. */
export type SecretHint = { readonly isSet: boolean; readonly ends?: string };

/** A shorter secret would be guessed by its end. */
const shortestWithEnd = 12;

/** The members as they are shown. */
export function maskedData({ schema, secretMembers }: CredentialsKind, data: CredentialsData): CredentialsData {
  return Object.fromEntries(
    Object.keys(schema.properties).flatMap((member) => {
      if (secretMembers.includes(member)) return [[member, hintOf(data[member])]];
      return data[member] === undefined ? [] : [[member, data[member]]];
    }),
  );
}

function hintOf(secret: unknown): SecretHint {
  if (typeof secret !== "string") return { isSet: false };
  return { isSet: true, ...(secret.length >= shortestWithEnd && { ends: secret.slice(-4) }) };
}

/** Whether a member has the shape that answers show a secret in: it stays as it is. */
export function isHint(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isSet" in value;
}
