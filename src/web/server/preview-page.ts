import { isPlainHttp, mostHttpOrigins, staticOriginOf } from "../../core/flow/client-requests.ts";
import type { Page, Place } from "../../management/operations/page.ts";
import { calledParameter } from "../conversation/preview-protocol.ts";
import { compressed, once, respondWithFile } from "./asset.ts";
import { assetsOf } from "./assets.ts";
import { bundleForPreview } from "./bundle.ts";
import { newNonce, previewPolicy } from "./security.ts";

const folder = "/assets/preview";
const chatBody = `<body class="typebot-container"><div id="__next"><div id="chat"></div></div></body>`;
const siteBody = `<body>
<div class="bar" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
<main>
<div class="text" aria-hidden="true"><i></i><i></i><i></i></div>
<div id="place"></div>
<div class="text" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
<div class="cards" aria-hidden="true"><i></i><i></i><i></i></div>
<div class="text" aria-hidden="true"><i></i><i></i><i></i></div>
<div class="cards" aria-hidden="true"><i></i><i></i><i></i></div>
</main>
</body>`;

/** The assets are built when the first preview is opened, so that no visitor's page waits for the build. */
const loadAssets = once(async () => assetsOf(await bundleForPreview(), folder));

/**
 * The documents and files of previews. A document contains no data and waits for content from the surrounding builder.
 * It is always sandboxed, so an author's code has no access to cookies, storage or the surrounding page.
 */
export const previewPages: readonly Page[] = [
  pageOf({ path: folder, entry: "preview.js", style: "page.css", body: chatBody }),
  // A sample page with the snippet that the share screen offers.
  pageOf({ path: `${folder}/site`, entry: "site.js", style: "site.css", body: siteBody }),
  {
    path: `${folder}/:file`,
    host: "chat",
    // The origin of a sandboxed document differs from the origin of its files.
    isReadAnywhere: true,
    async respond(_deps, request, { params: { file } }) {
      return respondWithFile((await loadAssets()).byName, request, { name: file });
    },
  },
];

type Frame = { readonly path: string; readonly entry: string; readonly style: string; readonly body: string };

function pageOf({ path, entry, style, body }: Frame): Page {
  return {
    path,
    host: "chat",
    async respond(deps, request, place: Place) {
      const { addressOf, textOf } = await loadAssets();
      const nonce = newNonce();
      const html = documentOf({ nonce, css: textOf(style), script: addressOf(entry), body });
      return compressed(
        request,
        new Response(html, {
          headers: {
            "Content-Type": "text/html; charset=utf-8",
            "Cache-Control": "private, no-store",
            "Content-Security-Policy": previewPolicy(deps.config, {
              ...{ nonce, host: place.host() },
              httpOrigins: calledOrigins(request),
            }),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
          },
        }),
      );
    },
  };
}

/**
 * Returns the origins with plain HTTP that the flow calls, as the builder reports them. Anyone can write them into the
 * URL, but only the builder can frame the document, which otherwise shows nothing.
 */
function calledOrigins(request: Request): string[] {
  const named = new URL(request.url).searchParams.getAll(calledParameter).slice(0, mostHttpOrigins);
  return named.flatMap((address) => (isPlainHttp(address) ? (staticOriginOf(address) ?? []) : []));
}

type Parts = { readonly nonce: string; readonly css: string; readonly script: string; readonly body: string };

function documentOf({ nonce, css, script, body }: Parts): string {
  return `<!doctype html>
<html lang="en" data-scheme="auto" data-defaults="6.1">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Preview</title>
<style nonce="${nonce}">${css.replaceAll(/<\/(style)/gi, "<\\/$1")}</style>
<script type="module" nonce="${nonce}" src="${script}"></script>
</head>
${body}
</html>
`;
}
