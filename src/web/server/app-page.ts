import { createHash } from "node:crypto";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import type { Page, Place } from "../../management/operations/page.ts";
import { assetOf, notModified, once, respondWithFile } from "./asset.ts";
import { bundleApp } from "./bundle-app.ts";
import { iconAddress } from "./document/icon.ts";

const assets = "/assets/app";

/**
 * The builder: at `/app` and below it the same document, which contains no data and needs no cookie, and its files. Its
 * script decides which screen to show; data is loaded by calls of the API.
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
        // A worker follows the policy of its own file: it sends no request.
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
 * The policy of every document of the builder. There is no nonce: nothing is inserted into the page, not even a style.
 */
export function contentSecurityPolicy(chatAddress: string): string {
  // Uploads of authors are on the host of the chats, even if that is on plain http.
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

/**
 * The origin of chats, in the form of a policy. Without an address in the settings, chats are on this host, at another
 * port.
 */
export function chatSource({ config }: Pick<ChatDependencies, "config">, place: Pick<Place, "host">): string {
  const address = config.CHAT_URL ?? config.PUBLIC_URL;
  if (address !== undefined) return new URL(address).origin;
  const host = place.host().replace(/:\d+$/, "");
  return /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(host) ? `'self' http://${host}:*` : "'self'";
}

/** The builder's files, made at their first use. */
const loadApp = once(async () => {
  const bundled = await bundleApp();
  // The binary contains them in the best compression; from sources the first visitor would have to wait for it.
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

/** A message for browsers that lack a feature: `start.ts` shows it. */
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
