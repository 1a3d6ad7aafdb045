import viewerIcon from "swagger-ui-dist/favicon-32x32.png" with { type: "file" };
import viewerStyle from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import viewerScript from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { Operation } from "../management/operations/operation.ts";
import type { Page } from "../management/operations/page.ts";
import { type Addresses, chatOrigin, makeDocument, title } from "./openapi-document.ts";

/**
 * Serves the documentation of the operations at `/docs` and `/docs/json`, with a viewer that loads nothing from other
 * hosts. Only the document comes from @elysiajs/swagger, because the plugin's own page loads its viewer from a CDN.
 */
export function documentationPages(operations: readonly Operation[], config: Addresses): Page[] {
  const chatUrl = chatOrigin(config);
  const security = contentSecurityPolicy(chatUrl);
  return [
    {
      ...textPage("/docs", "text/html; charset=utf-8", page(), {
        "Content-Security-Policy": security,
        "X-Frame-Options": "DENY",
      }),
      takesToken: true,
    },
    textPage("/assets/docs/start.js", "text/javascript; charset=utf-8", startScript, {}),
    filePage("/assets/docs/viewer.js", "text/javascript; charset=utf-8", viewerScript),
    filePage("/assets/docs/viewer.css", "text/css; charset=utf-8", viewerStyle),
    filePage("/assets/docs/icon.png", "image/png", viewerIcon),
    ...documentPages(operations, config),
  ];
}

/**
 * Serves the document under its own address and under the address that existing tools use. The document is created at
 * the first request. It is repetitive, so clients that accept gzip get it compressed.
 */
function documentPages(operations: readonly Operation[], config: Addresses): Page[] {
  let made: Promise<{ plain: string; packed: Uint8Array<ArrayBuffer> }> | undefined;
  const make = async () => {
    const plain = JSON.stringify(await makeDocument(operations, config));
    return { plain, packed: Bun.gzipSync(plain, { level: 9 }) };
  };
  const respond: Page["respond"] = async (_deps, request) => {
    made ??= make();
    const { plain, packed } = await made;
    const headers = { "Content-Type": "application/json;charset=utf-8", Vary: "Accept-Encoding" };
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return new Response(plain, { headers });
    return new Response(packed, { headers: { ...headers, "Content-Encoding": "gzip" } });
  };
  return ["/docs/json", "/api/openapi.json"].map((path): Page => ({ path, host: "management", respond }));
}

function page(): string {
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

// Tags are collapsed at first, because the viewer drops operations if more than 127 are open simultaneously. Requests
// from the viewer are strict, so that unknown names are reported. The token remains in the page's memory, and the
// document is not sent to an external validator.
//
// The viewer's own resolver takes 6 s for a document of 2 MB before it shows anything. This resolver replaces each
// reference with the part that it names, which works because no part refers to an enclosing part.
const startScript = `const partAt = (document, reference) =>
  reference.slice(2).split("/").reduce((part, key) => part?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);

const withoutReferences = (value, document) => {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, document));
  if (value === null || typeof value !== "object") return value;
  const { $ref: reference, ...rest } = value;
  if (typeof reference === "string")
    return { ...withoutReferences({ ...partAt(document, reference), ...rest }, document), $$ref: reference };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutReferences(item, document)]));
};

const readHere = () => ({
  fn: {
    resolveSubtree: async (document, path) => ({
      errors: [],
      spec: withoutReferences(path.reduce((part, key) => part?.[key], document), document),
    }),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson: (_, { specActions }) => (text) => specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
});

SwaggerUIBundle({
  url: "/docs/json",
  dom_id: "#documentation",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "none",
  persistAuthorization: false,
  plugins: [readHere],
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
    // The viewer sets inline styles on its elements.
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
