import type { TObject } from "@sinclair/typebox";
import { type ErrorCode, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type AnswerEvents, eventsType } from "../../platform/http/event-stream.ts";
import { isOptional } from "../../platform/http/query.ts";
import { documentedField, documentedSchema, type Json, type NamedSchemas } from "./openapi-schemas.ts";
import type { Operation } from "./operation.ts";
import { tags } from "./operation-words.ts";

/**
 * Returns the operation in OpenAPI's format for @elysiajs/swagger. Schemas with an `$id` become references and are
 * added to `named`. Chat operations contain their address if CHAT_URL is set.
 */
export function openApiDetail(
  operation: Operation,
  { chatUrl, named }: { chatUrl: string | undefined; named: NamedSchemas },
): Json {
  return {
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    operationId: operation.id,
    parameters: [
      ...parameters(operation.params, "path", named),
      ...parameters(operation.query, "query", named),
      ...(takesKey(operation) ? [keyParameter] : []),
      ...(operation.answerEvents?.mayContinue ? [lastEventIdParameter] : []),
      ...(operation.errors.includes("precondition.failed") ? [ifMatchParameter] : []),
      ...(operation.isTagged ? [ifNoneMatchParameter] : []),
    ],
    ...requestBody(operation, named),
    responses: {
      "200": success(operation, named),
      ...(operation.isTagged && { "304": unchanged }),
      ...failures(operation.errors),
    },
    security: security(operation.auth.kind),
    ...(operation.auth.scope ? { "x-token-scope": operation.auth.scope } : {}),
    ...(operation.host === "chat" && chatUrl !== undefined
      ? { servers: [{ url: chatUrl, description: chatServer }] }
      : {}),
    "x-error-codes": operation.errors,
    ...(operation.answerEvents && { "x-event-stream": eventStream(operation, operation.answerEvents, named) }),
  };
}

const chatServer = "The chat endpoints that visitors' clients call.";

/** Returns the groups of these operations with their descriptions. */
export function openApiTags(operations: readonly Operation[]): { name: string; description: string }[] {
  const used = new Set<string>(operations.map(({ tag }) => tag));
  return Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
}

export const errorSchema: Json = {
  type: "object",
  description: "The format of every error response.",
  required: ["code", "status", "message", "requestId"],
  properties: {
    code: { type: "string", description: "Stable error code for programs.", enum: Object.keys(errorCatalogue) },
    status: { type: "integer", description: "The HTTP status." },
    message: { type: "string", description: "Error message for people, in one sentence." },
    requestId: { type: "string", description: "Id of the request, which is also in the header X-Request-Id." },
    data: {
      type: "object",
      description: "Details of the error. Failed validation has `issues`.",
      additionalProperties: true,
      properties: {
        issues: {
          type: "array",
          description: "All problems of the request, each with its path.",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: {
              path: { type: "string", description: "Location in the request, such as `bot.groups[2].title`." },
              message: {
                type: "string",
                description: "The problem, as the end of a sentence that starts with the path.",
              },
            },
          },
        },
      },
    },
  },
};

/** Returns examples of the errors of these operations, by error code. */
export function errorExamples(operations: readonly Operation[]): Record<string, Json> {
  const codes = new Set(operations.flatMap(({ errors }) => errors));
  return Object.fromEntries(
    [...codes].map((code) => {
      const { status, message } = errorCatalogue[code];
      return [code, { value: { code, status, message, requestId: "8f14e45f-ceea-467f-a0e6-3b5a4f1c2d77" } }];
    }),
  );
}

function parameters(schema: TObject, place: "path" | "query", named: NamedSchemas): Json[] {
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, examples, ...rest } = documentedField(name, property, named);
    return {
      name,
      in: place,
      ...(rest["additionalProperties"] === undefined ? {} : { style: "deepObject", explode: true }),
      required: place === "path" || !isOptional(property),
      ...(typeof description === "string" ? { description } : {}),
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
      schema: rest,
    };
  });
}

function requestBody({ body, bodyExample, bodyType }: Operation, named: NamedSchemas): Json {
  if (bodyType !== undefined)
    return { requestBody: { required: true, content: { [bodyType]: { schema: fileOf(bodyType) } } } };
  if (!body) return {};
  const required = Array.isArray(body["required"]) && body["required"].length > 0;
  return { requestBody: { required, content: jsonContent(documentedSchema(body, named), bodyExample) } };
}

/** Returns the schema of a body that is not JSON: text, bytes or a form. */
function fileOf(type: string): Json {
  if (type === "multipart/form-data")
    return { type: "object", required: ["file"], properties: { file: { type: "string", format: "binary" } } };
  const isText = /^text\/|[/+](x-ndjson|jsonl|json)\b/.test(type);
  return { type: "string", ...(!isText && { format: "binary" }) };
}

/** Whether an operation reads the key. Only such an operation can reject it. */
function takesKey({ errors }: Operation): boolean {
  return errors.includes("idempotency.key_invalid");
}

const keyParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Identifies this request. If you repeat the request with the same key, it runs only once, and you get the first response again.",
  schema: { type: "string", minLength: 1, maxLength: limits.idempotency.keyCharacters },
};

const text = { type: "string" };

const lastEventIdParameter = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "The `id` of the last `delta` that you received before the connection broke. With the same `Idempotency-Key` you get the events after it.",
  schema: text,
};

const ifMatchParameter = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of the version that you read. If the object has changed since, nothing is written and the response is 412.",
  schema: text,
};

const ifNoneMatchParameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of the response that you have. If nothing has changed, the response is 304 without a body.",
  schema: text,
};

const unchanged = { description: "The response that `If-None-Match` names is still current.", headers: {} };

/** The documented headers of responses. */
export const documentedHeaders = {
  ETag: {
    description: "The version of this response, for `If-None-Match` and `If-Match`.",
    schema: { type: "string" },
  },
  "X-Request-Id": { description: "Id of the request in the logs of the service.", schema: { type: "string" } },
  "Parley-Ignored": {
    description: "Unknown query parameters and keys of the body, each with the most similar known name.",
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description: "`true` if this is the stored response of an earlier request with the same key.",
    schema: { type: "string" },
  },
  "Retry-After": { description: "Seconds to wait before you send the request again.", schema: { type: "integer" } },
} as const;

const headerNamed = (name: keyof typeof documentedHeaders) => ({ [name]: { $ref: `#/components/headers/${name}` } });
const tagHeader = headerNamed("ETag");
const requestIdHeader = headerNamed("X-Request-Id");
const ignoredHeader = headerNamed("Parley-Ignored");
const replayedHeader = headerNamed("Idempotency-Replayed");
const retryHeader = headerNamed("Retry-After");

function success(operation: Operation, named: NamedSchemas): Json {
  const { answer, answerExample, answerTypes } = operation;
  const content = answerTypes.map((type, index) => [
    type,
    {
      schema: type === "application/json" ? documentedSchema(answer, named) : fileOf(type),
      ...(index === 0 && answerExample !== undefined && { example: answerExample }),
    },
  ]);
  return {
    description: "Success.",
    headers: {
      ...requestIdHeader,
      ...ignoredHeader,
      ...(takesKey(operation) && replayedHeader),
      ...(operation.isTagged && tagHeader),
    },
    content: Object.fromEntries(content),
  };
}

/**
 * Describes the stream that may be the response instead of JSON. It is not documented as a second content type, because
 * `openapi-typescript` and `orval` would then generate a union of `string` and JSON whose fields have no types.
 */
function eventStream({ answer }: Operation, { events, last, when = "" }: AnswerEvents, named: NamedSchemas): Json {
  return {
    description: `The response instead of JSON if the \`Accept\` header contains \`${eventsType}\`${when}. Each \`data\` is JSON; \`${last}\` or \`error\` is the last event.`,
    contentType: eventsType,
    events: {
      ...Object.fromEntries(Object.entries(events).map(([name, data]) => [name, documentedSchema(data, named)])),
      [last]: documentedSchema(answer, named),
      error: { $ref: "#/components/schemas/Error" },
    },
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
            examples: Object.fromEntries(sameStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  );
}

function mayPass(code: ErrorCode): boolean {
  return "retryAfterSeconds" in errorCatalogue[code];
}

function jsonContent(schema: unknown, example: unknown): Json {
  return { "application/json": { schema, ...(example === undefined ? {} : { example }) } };
}

function security(kind: Operation["auth"]["kind"]): Json[] {
  if (kind === "none") return [];
  return kind === "token" ? [{ token: [] }] : [{ token: [] }, {}];
}
