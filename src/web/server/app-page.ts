import { createHash } from "node:crypto";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import { AppError } from "../../errors.ts";
import type { Page, Place } from "../../management/operations/page.ts";
import { type Asset, assetOf, assetResponse } from "./asset.ts";
import { type AppFile, bundleApp } from "./bundle-app.ts";

const assets = "/assets/app";

/**
 * The builder: at `/app` and below it the same document, which holds no data and needs no cookie, and its files. Its script
 * decides which screen to show; data comes by calls of the API.
 */
export const appPages: readonly Page[] = [
  ...["/app", "/app/*"].map(
    (path): Page => ({ path, host: "management", takesToken: true, respond: respondWithDocument }),
  ),
  {
    path: `${assets}/:file`,
    host: "management",
    takesToken: true,
    async respond(_deps, request, { params: { file } }) {
      const asset = (await loadApp()).files.get(String(file));
      if (!asset) throw new AppError("route.not_found");
      return assetResponse(asset, request, {
        "Cache-Control": "public, max-age=31536000, immutable",
        "Cross-Origin-Resource-Policy": "same-origin",
        // What a worker may do says its own file: it asks nothing of anybody.
        "Content-Security-Policy": "default-src 'none'; script-src 'self'",
      });
    },
  },
];

async function respondWithDocument(deps: ChatDependencies, request: Request, place: Place): Promise<Response> {
  const { html } = await loadApp();
  const policy = contentSecurityPolicy(chatSource(deps, place));
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
    ETag: `"${createHash("sha256").update(`${html} ${policy}`).digest("base64url").slice(0, 22)}"`,
    "Content-Security-Policy": policy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
  const known = request.headers.get("if-none-match")?.split(/\s*,\s*/);
  if (known?.includes(headers.ETag)) return new Response(null, { status: 304, headers });
  return new Response(html, { headers });
}

/** The policy of every document of the builder. There is no nonce: nothing is written into the page, not even a style. */
export function contentSecurityPolicy(chatAddress: string): string {
  // Uploads of authors are on the host of the chats, also where that is on plain http.
  const shown = [
    "'self'",
    "https:",
    "data:",
    "blob:",
    ...chatAddress.split(" ").filter((one) => one !== "'self'"),
  ].join(" ");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${shown}`,
    `media-src ${shown}`,
    "connect-src 'self'",
    `frame-src ${chatAddress}`,
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** Where chats are, as a policy names it. Without an address in the settings they are on this host, at another port. */
function chatSource({ config }: ChatDependencies, place: Place): string {
  const address = config.CHAT_URL ?? config.PUBLIC_URL;
  if (address !== undefined) return new URL(address).origin;
  const host = place.host().replace(/:\d+$/, "");
  return /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(host) ? `'self' http://${host}:*` : "'self'";
}

type App = { readonly html: string; readonly files: ReadonlyMap<string, Asset> };

let app: Promise<App> | undefined;

/** The builder's files, made when it is first opened, once in each process. */
function loadApp(): Promise<App> {
  app ??= makeApp().catch((error: unknown) => {
    app = undefined;
    throw error;
  });
  return app;
}

async function makeApp(): Promise<App> {
  const bundled = await bundleApp();
  // Those of the binary came compressed as far as that goes; of sources nobody waits for that.
  const files = new Map(bundled.map((file) => [file.name, assetOf({ ...file, quality: 5 })]));
  const addressOf = (entry: string) => `${assets}/${entryOf(bundled, entry).name}`;
  const main = entryOf(bundled, "main.js");
  const script = new TextDecoder().decode(await files.get(main.name)?.plain());
  const parts = [...script.matchAll(/(?:from|import)\s*"\.\/(part-[\w-]+\.js)"/g)].map(
    ([, name]) => `${assets}/${name}`,
  );
  const html = documentOf({
    style: addressOf("app.css"),
    start: addressOf("start.js"),
    main: addressOf("main.js"),
    parts: [...new Set(parts)],
  });
  return { html, files };
}

function entryOf(bundled: readonly AppFile[], entry: string): AppFile {
  const found = bundled.find((file) => file.entry === entry);
  if (!found) throw new Error(`Nothing was bundled from ${entry}`);
  return found;
}

type Addresses = {
  readonly style: string;
  readonly start: string;
  readonly main: string;
  readonly parts: readonly string[];
};

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#3452d1"/><path fill="#fff" d="M12 11h16a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4h-7l-6 5v-5h-3a4 4 0 0 1-4-4v-8a4 4 0 0 1 4-4Z"/></svg>',
)}`;

/** What a browser that lacks something reads: `start.ts` shows it. */
const tooOld = `<main class="too-old" id="too-old" hidden>
<h1>This browser is too old for Parley</h1>
<p>Please use Chrome or Edge 123, Firefox 125, Safari 17.5 or a newer one. Your bots and their chats are not affected: visitors can use older browsers.</p>
</main>`;

function documentOf({ style, start, main, parts }: Addresses): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Parley</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style}">
<script src="${start}"></script>
<script type="module" src="${main}"></script>
${parts.map((part) => `<link rel="modulepreload" href="${part}">\n`).join("")}</head>
<body>
<div id="app"></div>
${tooOld}
<noscript><div class="too-old"><h1>Parley needs JavaScript</h1><p>Please allow scripts for this page. Without them, bots can be made and published by the API: see /docs.</p></div></noscript>
</body>
</html>
`;
}
