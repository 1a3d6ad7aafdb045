import { createHash } from "node:crypto";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import type { Page, Place } from "../../management/operations/page.ts";
import { assetOf, notModified, once, respondWithFile } from "./asset.ts";
import { bundleApp } from "./bundle-app.ts";
import { iconAddress } from "./document/icon.ts";

const assets = "/assets/app";

/**
 * The pages of the builder. `/app` and all paths below it return the same document; another path returns the builder's
 * files. The document contains no data and needs no cookie. Its script chooses the screen and loads data through the
 * API.
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
      const headers = {
        "Cross-Origin-Resource-Policy": "same-origin",
        // A worker follows the policy of its own file. It sends no requests.
        "Content-Security-Policy": "default-src 'none'; script-src 'self'",
      };
      return respondWithFile((await loadApp()).files, request, { name: file, headers });
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
  return notModified(request, headers) ?? new Response(html, { headers });
}

/**
 * Returns the policy of every document of the builder. It contains no nonce, because nothing is inserted into the page,
 * not even a style.
 */
export function contentSecurityPolicy(chatAddress: string): string {
  // Authors' uploads are on the host of the chats, which may use plain HTTP.
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

/** Returns the origin of chats as a policy source. Without a configured URL, chats use another port of this host. */
export function chatSource({ config }: Pick<ChatDependencies, "config">, place: Pick<Place, "host">): string {
  const address = config.CHAT_URL ?? config.PUBLIC_URL;
  if (address !== undefined) return new URL(address).origin;
  const host = place.host().replace(/:\d+$/, "");
  return /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(host) ? `'self' http://${host}:*` : "'self'";
}

/** Builds the builder's files and its document when they are first needed. */
const loadApp = once(async () => {
  const bundled = await bundleApp();
  // The binary contains the files with the best compression. When running from sources, a faster compression is used,
  // so that the first visitor need not wait.
  const files = new Map(bundled.map((file) => [file.name, assetOf({ ...file, quality: 5 })]));
  const nameOf = (entry: string): string => {
    const found = bundled.find((file) => file.entry === entry);
    if (!found) throw new Error(`Nothing was bundled from ${entry}`);
    return found.name;
  };
  const addressOf = (entry: string) => `${assets}/${nameOf(entry)}`;
  const script = new TextDecoder().decode(await files.get(nameOf("main.js"))?.plain());
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
});

type Addresses = {
  readonly style: string;
  readonly start: string;
  readonly main: string;
  readonly parts: readonly string[];
};

const icon = iconAddress({ color: "#3452d1", ink: "#fff" });

/** The message for browsers that lack a feature. `start.ts` shows it. */
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
