import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import viewerIcon from "swagger-ui-dist/favicon-32x32.png" with { type: "file" };
import viewerStyle from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import viewerScript from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { Config } from "../config.ts";
import { openApiDetail, openApiSchemas } from "./http/openapi.ts";
import type { Operation } from "./http/operation.ts";
import type { Page } from "./http/page.ts";

type Addresses = Pick<Config, "PUBLIC_URL" | "CHAT_URL">;

/**
 * `/docs`, its files and `/docs/json`: the documentation of these operations, with a viewer that needs nothing from
 * outside. The page of @elysiajs/swagger loads its viewer from a CDN, so the plugin stays in an app of its own and only
 * its document comes out.
 */
export function documentationPages(operations: readonly Operation[], config: Addresses): Page[] {
  const title = "Parley API";
  const chatUrl = chatOrigin(config);
  const plugin = new Elysia();
  for (const operation of operations) {
    plugin.route(operation.method, operation.path, () => null, {
      config: {},
      detail: openApiDetail(operation, { chatUrl }),
    });
  }
  plugin.use(
    swagger({
      path: "/docs",
      documentation: {
        info: { title, version: "1", description: introduction },
        tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
        components: {
          securitySchemes: { token: { type: "http", scheme: "bearer", description: "An API token, `parley_…`." } },
          schemas: openApiSchemas(operations),
        },
      },
    }),
  );
  const security = contentSecurityPolicy(chatUrl);
  return [
    {
      ...textPage("/docs", "text/html; charset=utf-8", page(title), {
        "Content-Security-Policy": security,
        "X-Frame-Options": "DENY",
      }),
      takesToken: true,
    },
    textPage("/assets/docs/start.js", "text/javascript; charset=utf-8", startScript, {}),
    filePage("/assets/docs/viewer.js", "text/javascript; charset=utf-8", viewerScript),
    filePage("/assets/docs/viewer.css", "text/css; charset=utf-8", viewerStyle),
    filePage("/assets/docs/icon.png", "image/png", viewerIcon),
    documentPage(plugin, config),
  ];
}

/** The document itself: made at its first reading, and sent compressed, since it repeats itself. */
function documentPage(plugin: { handle(request: Request): Promise<Response> }, config: Addresses): Page {
  let made: Promise<{ plain: string; packed: Uint8Array<ArrayBuffer> }> | undefined;
  const make = async () => {
    const document = await (await plugin.handle(new Request("http://localhost/docs/json"))).json();
    // The plugin writes the version of its own time; schemas here are those of JSON Schema, which 3.1 takes as they are.
    const servers = [{ url: config.PUBLIC_URL === undefined ? "/" : new URL(config.PUBLIC_URL).origin }];
    const plain = JSON.stringify({ ...document, openapi: "3.1.0", servers });
    return { plain, packed: Bun.gzipSync(plain) };
  };
  return {
    path: "/docs/json",
    host: "management",
    async respond(_deps, request) {
      made ??= make();
      const { plain, packed } = await made;
      const headers = { "Content-Type": "application/json;charset=utf-8", Vary: "Accept-Encoding" };
      if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return new Response(plain, { headers });
      return new Response(packed, { headers: { ...headers, "Content-Encoding": "gzip" } });
    },
  };
}

const introduction = `Hosts conversational flows: manage bots here, chat with them there.

Send \`Authorization: Bearer <token>\` to management endpoints; chat endpoints take none, the session id is the secret.
Every error has one shape (schema Error): programs read \`code\`, people \`message\`, and \`requestId\` (also the header
\`X-Request-Id\`) finds the request in the logs. Lists are read page by page: send \`nextCursor\` as \`cursor\`.

Query parameters and keys of a body that are unknown here are ignored and named in the header \`Parley-Ignored\`, each with the
nearest known one; with \`Prefer: handling=strict\` they are 400. What is unknown inside a flow is kept.

What never becomes a request is answered before it reaches us, without a body: 400 what is no HTTP or has no header
\`Host\`, 413 a body beyond any bound here, 431 headers above 16 KB, 505 another version of HTTP; the connection of a
method that HTTP does not know is closed.`;

/** Where chat operations are when that is not where the documentation is. */
function chatOrigin({ PUBLIC_URL, CHAT_URL }: Addresses): string | undefined {
  if (CHAT_URL === undefined) return undefined;
  const { origin } = new URL(CHAT_URL);
  return PUBLIC_URL !== undefined && new URL(PUBLIC_URL).origin === origin ? undefined : origin;
}

function page(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="/assets/docs/icon.png">
<link rel="stylesheet" href="/assets/docs/viewer.css">
</head>
<body>
<div id="documentation"></div>
<script src="/assets/docs/viewer.js"></script>
<script src="/assets/docs/start.js"></script>
</body>
</html>
`;
}

// The viewer loses operations where more than 127 are open at once, so they come tag by tag. Who tries something out wants to know of every name that means nothing here. The token is kept in the page's memory only, and no outside validator is asked about the document.
const startScript = `SwaggerUIBundle({
  url: "/docs/json",
  dom_id: "#documentation",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "none",
  persistAuthorization: false,
  requestInterceptor: (request) => {
    if (!request.loadSpec) request.headers.Prefer = "handling=strict";
    return request;
  },
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

function contentSecurityPolicy(chatUrl: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The viewer sets styles on its elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self'${chatUrl === undefined ? "" : ` ${chatUrl}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function textPage(path: string, contentType: string, text: string, headers: Record<string, string>): Page {
  const all = { ...headers, "Content-Type": contentType, "X-Content-Type-Options": "nosniff" };
  return { path, host: "management", respond: () => new Response(text, { headers: all }) };
}

function filePage(path: string, contentType: string, file: string): Page {
  const headers = {
    "Content-Type": contentType,
    "Cache-Control": "public, max-age=3600",
    "X-Content-Type-Options": "nosniff",
  };
  return { path, host: "management", respond: () => new Response(Bun.file(file), { headers }) };
}
