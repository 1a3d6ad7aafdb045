import type { CredentialsData, CredentialsKind } from "./kind.ts";

/** The visible part of a secret: whether it is set, and its end. */
export type SecretHint = { readonly isSet: boolean; readonly ends?: string };

/** The end of a shorter secret would give too much of it away. */
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

/** Whether a member has the shape of a masked secret: then it stays as it is. */
export function isHint(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isSet" in value;
}
