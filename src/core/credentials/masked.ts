import type { CredentialsData, CredentialsKind } from "./kind.ts";

/** The visible information about a secret: whether it is set and, for a long secret, its last characters. */
export type SecretHint = { readonly isSet: boolean; readonly ends?: string };

/**
 * The minimum length of a secret whose last characters are shown. The end of a shorter secret would reveal too much.
 */
const shortestWithEnd = 12;

export function maskedData({ schema, secretMembers }: CredentialsKind, data: CredentialsData): CredentialsData {
  return Object.fromEntries(
    Object.keys(schema.properties).flatMap((member) => {
      if (secretMembers.includes(member)) return [[member, hintOf(data[member])]];
      return data[member] === undefined ? [] : [[member, data[member]]];
    }),
  );
}

export function hintOf(secret: unknown): SecretHint {
  if (typeof secret !== "string") return { isSet: false };
  return { isSet: true, ...(secret.length >= shortestWithEnd && { ends: secret.slice(-4) }) };
}

/** Returns whether a value is a masked secret. A client sends the masked secret to keep the stored secret. */
export function isHint(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isSet" in value;
}
