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
 * Returns the maximum size in bytes of an operation's JSON body, depending on the caller. A public operation has a
 * separate size, which its definition states or which follows from its schema. Otherwise the service does not start.
 *
 * Measured with 25 successive bodies of 10.1 MB (723,000 unknown keys), on two cores under other load. With a limit of
 * 10 MB for all operations, sign-ins took 117 s, invitations took 107 s, and the slowest concurrent `healthz` took 8.2
 * s. With rejection by size, they took 0.8 s, 0.3 s and 0.05 s.
 */
export function bodySizeOf({ path, host, auth, body, bodyBytes }: Sized): (caller: Caller | undefined) => number {
  if (typeof bodyBytes === "function") return bodyBytes;
  const own = bodyBytes ?? (auth.kind === "token" || !body ? undefined : largestBody(body));
  if (own === undefined && body && auth.kind !== "token")
    throw new Error(`${path} is public and needs \`bodyBytes\`, because some fields of its body have no size limit`);
  const size = own ?? (host === "chat" ? limits.request.chatBodyBytes : limits.request.managementBodyBytes);
  return () => size;
}

/** The bytes of a UTF-16 code unit that is written as an escape sequence. */
const escapedBytes = 6;

/**
 * Returns the maximum size in bytes of a body with this schema, including `limits.request.foreignBodyBytes` for content
 * that the schema does not contain. Undefined if a field is unlimited.
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
      // The size of a record is unlimited, and so is the size of an object that states `additionalProperties`.
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
