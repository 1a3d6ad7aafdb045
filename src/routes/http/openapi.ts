import type { TObject, TSchema } from "@sinclair/typebox";
import { type ErrorCode, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { Operation } from "./operation.ts";
import { isOptional } from "./query.ts";

type Json = Record<string, unknown>;

/**
 * The operation in OpenAPI's words, for @elysiajs/swagger to list. Schemas with an `$id` are referred to by name; chat
 * operations that have an address of their own name it.
 */
export function openApiDetail(operation: Operation, { chatUrl }: { chatUrl: string | undefined }): Json {
  return {
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    operationId: operationId(operation),
    parameters: [
      ...parameters(operation.params, "path"),
      ...parameters(operation.query, "query"),
      ...(takesKey(operation) ? [keyParameter] : []),
    ],
    ...(operation.body ? { requestBody: requestBody(operation.body, operation.bodyExample) } : {}),
    responses: { "200": success(operation), ...failures(operation.errors) },
    security: security(operation.auth.kind),
    ...(operation.auth.scope ? { "x-token-scope": operation.auth.scope } : {}),
    ...(operation.host === "chat" && chatUrl !== undefined ? { servers: [{ url: chatUrl }] } : {}),
    "x-error-codes": operation.errors,
  };
}

/** The schemas with an `$id` that these operations speak of, and the shape of errors. */
export function openApiSchemas(operations: readonly Operation[]): Record<string, Json> {
  const schemas = new Map<string, Json>();
  for (const { params, query, body, answer } of operations) {
    for (const schema of [params, query, body, answer]) plainSchema(schema, schemas);
  }
  return { ...Object.fromEntries(schemas), Error: errorSchema };
}

const errorSchema = {
  type: "object",
  required: ["code", "status", "message", "requestId"],
  properties: {
    code: { type: "string", description: "Stable; made for programs.", enum: Object.keys(errorCatalogue) },
    status: { type: "integer", description: "The HTTP status." },
    message: { type: "string", description: "A sentence made for people." },
    requestId: { type: "string", description: "Also in the header X-Request-Id." },
    data: {
      type: "object",
      description: "Facts; `issues` on failed validation.",
      properties: {
        issues: {
          type: "array",
          items: { type: "object", properties: { path: { type: "string" }, message: { type: "string" } } },
        },
      },
    },
  },
};

function parameters(schema: TObject, place: "path" | "query"): Json[] {
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, examples, ...rest } = asJson(property);
    if (rest["patternProperties"]) {
      return { name: `${name}.NAME`, in: place, required: false, description, schema: { type: "string" } };
    }
    return {
      name,
      in: place,
      required: place === "path" || !isOptional(property),
      ...(typeof description === "string" ? { description } : {}),
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
      schema: plainSchema(rest, new Map()),
    };
  });
}

function requestBody(schema: TSchema, example: unknown): Json {
  const required = Array.isArray(schema["required"]) && schema["required"].length > 0;
  return { required, content: jsonContent(plainSchema(schema, new Map()), example) };
}

/** Only operations that read the key can refuse it. */
function takesKey({ errors }: Operation): boolean {
  return errors.includes("idempotency.key_invalid");
}

const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Names this request: sent again under the same key, it is answered as the first time and done once.",
  schema: { type: "string", minLength: 1, maxLength: limits.idempotency.keyCharacters },
};

const text = { type: "string" };
const requestIdHeader = {
  "X-Request-Id": { description: "Finds the request in the logs of the service.", schema: text },
};
const ignoredHeader = {
  "Parley-Ignored": {
    description: "The query parameters and keys of the body that mean nothing here, each with the nearest known one.",
    schema: text,
  },
};
const replayedHeader = {
  "Idempotency-Replayed": { description: "`true` where this was answered before under the same key.", schema: text },
};
const retryHeader = {
  "Retry-After": { description: "Seconds after which to send the request again.", schema: { type: "integer" } },
};

function success(operation: Operation): Json {
  const { answer, answerExample, answerType } = operation;
  return {
    description: "Success.",
    headers: { ...requestIdHeader, ...ignoredHeader, ...(takesKey(operation) && replayedHeader) },
    content: { [answerType]: { schema: plainSchema(answer, new Map()), example: answerExample } },
  };
}

function failures(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      String(status),
      {
        headers: { ...requestIdHeader, ...(sameStatus.some(mayPass) && retryHeader) },
        description: sameStatus.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join("\n\n"),
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Error" },
            examples: Object.fromEntries(sameStatus.map((code) => [code, { value: errorExample(code) }])),
          },
        },
      },
    ]),
  );
}

function mayPass(code: ErrorCode): boolean {
  return "retryAfterSeconds" in errorCatalogue[code];
}

function errorExample(code: ErrorCode): Json {
  const { status, message } = errorCatalogue[code];
  return { code, status, message, requestId: "8f14e45f-ceea-467f-a0e6-3b5a4f1c2d77" };
}

function jsonContent(schema: unknown, example: unknown): Json {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

function security(kind: Operation["auth"]["kind"]): Json[] {
  if (kind === "none") return [];
  return kind === "token" ? [{ token: [] }] : [{ token: [] }, {}];
}

function operationId({ method, path }: Operation): string {
  const words = path.replace("/api/v1/", "").replaceAll(":", "by-").split(/[/-]/);
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

function asJson(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema));
}

/** The schema without our own marks; parts with an `$id` become references and are put into `named`. */
function plainSchema(schema: unknown, named: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => plainSchema(entry, named));
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema).filter(([key]) => !ownMarks.has(key));
  const plain = Object.fromEntries(entries.map(([key, value]) => [key, plainSchema(value, named)]));
  if (!("$id" in schema) || typeof schema.$id !== "string") return plain;
  named.set(schema.$id, plain);
  return { $ref: `#/components/schemas/${schema.$id}` };
}

const ownMarks = new Set(["$id", "notFound", "expected", "keepsUnknown"]);
