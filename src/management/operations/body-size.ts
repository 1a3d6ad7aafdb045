import type { TSchema } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import type { Caller } from "../access/access.ts";

type Sized = {
  readonly path: string;
  readonly host?: "management" | "chat" | "both";
  readonly auth: { readonly kind: "token" | "optional" | "none" };
  readonly body?: TSchema;
  readonly bodyBytes?: number | ((caller: Caller | undefined) => number);
};

/**
 * The most bytes of an operation's JSON body, by caller. An operation that anybody may call has its own size: a stated
 * one, or the one that follows from its schema. Otherwise the service does not start.
 *
 * Measured with 25 bodies of 10.1 MB (723,000 unknown keys) in a row, on two cores that were also busy otherwise. When
 * the limit of all was 10 MB: 117 s for sign-ins, 107 s for invitations, and the slowest `healthz` beside them took 8.2
 * s. Refused by their size: 0.8 and 0.3 s, and 0.05 s.
 */
export function bodySizeOf({ path, host, auth, body, bodyBytes }: Sized): (caller: Caller | undefined) => number {
  if (typeof bodyBytes === "function") return bodyBytes;
  const own = bodyBytes ?? (auth.kind === "token" || !body ? undefined : largestBody(body));
  if (own === undefined && body && auth.kind !== "token")
    throw new Error(`${path} is for everybody and needs \`bodyBytes\`: not all fields of its body have a bound`);
  const size = own ?? (host === "chat" ? limits.request.chatBodyBytes : limits.request.managementBodyBytes);
  return () => size;
}

/** A UTF-16 code unit that is written as an escape. */
const escapedBytes = 6;

/**
 * The most bytes that a body of this schema takes, with `limits.request.foreignBodyBytes` for content that is not in
 * the schema. Undefined if one of its fields is unlimited.
 */
export function largestBody(schema: TSchema): number | undefined {
  const bytes = largestValue(schema);
  return bytes === undefined ? undefined : bytes + limits.request.foreignBodyBytes;
}

function largestValue(schema: TSchema): number | undefined {
  const { type, properties, enum: words, anyOf, maxLength, maxItems, items } = schema;
  if ("const" in schema) return largestText(JSON.stringify(schema["const"]).length);
  if (Array.isArray(words)) return Math.max(...words.map((word) => largestText(String(word).length)));
  if (Array.isArray(anyOf)) return largestOf(anyOf.map(largestValue), (sizes) => Math.max(...sizes));
  switch (type) {
    case "string":
      return typeof maxLength === "number" ? largestText(maxLength) : undefined;
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return numberBytes;
    case "array": {
      const one = typeof maxItems === "number" ? largestValue(items) : undefined;
      return one === undefined ? undefined : maxItems * (one + 1) + 2;
    }
    case "object": {
      // A record, or an object that allows any key.
      if (!properties || schema["additionalProperties"] !== undefined) return undefined;
      const fields = Object.entries<TSchema>(properties).map(([name, field]) => {
        const value = largestValue(field);
        // The size of the field with its colon and comma.
        return value === undefined ? undefined : largestText(name.length) + 2 + value;
      });
      return largestOf(fields, (sizes) => sizes.reduce((sum, size) => sum + size, 2));
    }
    default:
      return undefined;
  }
}

/** The longest number, such as -1.2345678901234567e-123, is longer than `false` and `null`. */
const numberBytes = 25;

function largestText(characters: number): number {
  return characters * escapedBytes + 2;
}

function largestOf(
  sizes: readonly (number | undefined)[],
  of: (sizes: readonly number[]) => number,
): number | undefined {
  const known = sizes.filter((size) => size !== undefined);
  return known.length === sizes.length ? of(known) : undefined;
}
