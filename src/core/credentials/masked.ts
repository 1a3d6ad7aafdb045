import type { CredentialsData, CredentialsKind } from "./kind.ts";

/** The visible part of a secret: whether it is set, and its last characters. */
export type SecretHint = { readonly isSet: boolean; readonly ends?: string };

/** The last characters of a shorter secret would reveal too much of it. */
const shortestWithEnd = 12;

/** The members with masked secrets. */
export function maskedData({ schema, secretMembers }: CredentialsKind, data: CredentialsData): CredentialsData {
  return Object.fromEntries(
    Object.keys(schema.properties).flatMap((member) => {
      if (secretMembers.includes(member)) return [[member, hintOf(data[member])]];
      return data[member] === undefined ? [] : [[member, data[member]]];
    }),
  );
}

/** The visible part of a secret. */
export function hintOf(secret: unknown): SecretHint {
  if (typeof secret !== "string") return { isSet: false };
  return { isSet: true, ...(secret.length >= shortestWithEnd && { ends: secret.slice(-4) }) };
}

/** Whether a member has the shape of a masked secret: if so, the stored value stays. */
export function isHint(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isSet" in value;
}
