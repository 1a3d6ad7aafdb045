import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import { blockSchemas } from "../management/operations/block-schemas.ts";
import {
  documentedHeaders,
  errorExamples,
  errorSchema,
  openApiDetail,
  openApiTags,
} from "../management/operations/openapi.ts";
import { documentedSchema, type NamedSchemas } from "../management/operations/openapi-schemas.ts";
import type { Operation } from "../management/operations/operation.ts";

export type Addresses = Pick<Config, "PUBLIC_URL" | "CHAT_URL">;

/** Returns the OpenAPI document of the given operations. */
export async function makeDocument(operations: readonly Operation[], config: Addresses): Promise<object> {
  // Loading the document's libraries takes 15 ms of processor time, which would delay the start.
  const { swagger } = await import("@elysiajs/swagger");
  const chatUrl = chatOrigin(config);
  const named: NamedSchemas = new Map();
  const plugin = new Elysia();
  for (const operation of operations) {
    plugin.route(operation.method, operation.path, () => null, {
      config: {},
      detail: openApiDetail(operation, { chatUrl, named }),
    });
  }
  // A flow is validated by the schema of its envelope and by the schemas of its blocks. The document combines both in
  // one schema.
  named.delete("Block");
  documentedSchema(blockSchemas, named);
  plugin.use(
    swagger({
      path: "/docs",
      documentation: {
        info: {
          title,
          version: "1",
          description: introduction,
          license: { name: "MIT", url: "https://opensource.org/license/mit" },
        },
        tags: openApiTags(operations),
        components: {
          headers: documentedHeaders,
          securitySchemes: { token: { type: "http", scheme: "bearer", description: "An API token, `parley_…`." } },
          examples: errorExamples(operations),
          schemas: { ...Object.fromEntries(named), Error: errorSchema },
        },
      },
    }),
  );
  const document: object = await (await plugin.handle(new Request("http://localhost/docs/json"))).json();
  const url = config.PUBLIC_URL === undefined ? "/" : new URL(config.PUBLIC_URL).origin;
  // The plugin generates an older OpenAPI version. The schemas are JSON Schema, which OpenAPI 3.1 accepts unchanged.
  return { ...document, openapi: "3.1.0", servers: [{ url, description: "This service." }] };
}

export const title = "Parley API";

const introduction = `Hosts conversational flows: manage bots with this API, and chat with them.

Send \`Authorization: Bearer <token>\` to management endpoints. Chat endpoints need no token, because the session id is the secret.
Every error has the same format (schema Error): \`code\` is for programs, \`message\` is for people, and \`requestId\` (also the header
\`X-Request-Id\`) identifies the request in the logs. Lists are paginated: send \`nextCursor\` as \`cursor\`.

Unknown query parameters and keys of a body are ignored and named in the header \`Parley-Ignored\`, each with the
most similar known name; with \`Prefer: handling=strict\` the response is 400. Unknown keys inside a flow are kept.

Responses to requests with a token have the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`, which
describe the strictest rate limit that applies to the request.

Malformed requests get a response without a body: 400 for invalid HTTP or a missing header \`Host\`, 413 for a body above
every limit, 431 for headers above 16 KB, 505 for another version of HTTP. If the HTTP method is unknown, the connection
is closed.`;

/** Returns the origin of CHAT_URL if it differs from the origin of PUBLIC_URL; otherwise undefined. */
export function chatOrigin({ PUBLIC_URL, CHAT_URL }: Addresses): string | undefined {
  if (CHAT_URL === undefined) return undefined;
  const { origin } = new URL(CHAT_URL);
  return PUBLIC_URL !== undefined && new URL(PUBLIC_URL).origin === origin ? undefined : origin;
}
