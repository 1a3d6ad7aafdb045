import { AppError } from "../../errors.ts";
import type { Page } from "../../management/operations/page.ts";
import { type Asset, assetOf, assetResponse } from "./asset.ts";
import { type Bundled, bundleForBrowsers } from "./bundle.ts";

export type Assets = {
  /** The address of the asset built from an entry, such as `page.js`. */
  addressOf(entry: string): string;
  /** The text of the asset built from an entry. */
  textOf(entry: string): string;
  readonly byName: ReadonlyMap<string, Asset>;
};

const folder = "/assets/chat";

let assets: Promise<Assets> | undefined;

/** The assets, built on first use, once in each process. */
export function loadAssets(): Promise<Assets> {
  assets ??= makeAssets().catch((error: unknown) => {
    assets = undefined;
    throw error;
  });
  return assets;
}

/** Serves the assets. Their names contain a hash of their content, so browsers may cache them for good. */
export const assetPages: readonly Page[] = [
  // Some browsers cache a failed import by its address until the page is left. An embedded chat is therefore retried in a folder
  // per attempt, which gives its parts other addresses, too.
  ...[`${folder}/:file`, `${folder}/attempts/:attempt/:file`].map(
    (path): Page => ({
      path,
      host: "chat",
      // Pages of other sites load the scripts of embedded chats.
      isReadAnywhere: true,
      async respond(_deps, request, { params: { attempt, file } }) {
        const asset = (await loadAssets()).byName.get(String(file));
        const isAttempt = attempt === undefined || /^\d{1,3}$/.test(String(attempt));
        if (!asset || !isAttempt) throw new AppError("route.not_found");
        return assetResponse(asset, request, { "Cache-Control": "public, max-age=31536000, immutable" });
      },
    }),
  ),
  {
    // The one address without a hash: other sites write it into their pages.
    path: "/embed.js",
    host: "chat",
    isReadAnywhere: true,
    async respond(_deps, request) {
      const { addressOf, byName } = await loadAssets();
      const name = addressOf("embed.js").slice(folder.length + 1);
      const asset = byName.get(name);
      if (!asset) throw new AppError("route.not_found");
      const headers = {
        "Cache-Control": "public, max-age=300",
        // Weak, because the same content has several encodings.
        ETag: `W/"${name}"`,
        "Cross-Origin-Resource-Policy": "cross-origin",
      };
      const known = request.headers.get("if-none-match")?.split(/\s*,\s*/);
      if (known?.includes(headers.ETag)) return new Response(null, { status: 304, headers });
      return assetResponse(asset, request, headers);
    },
  },
];

async function makeAssets(): Promise<Assets> {
  return assetsOf(await bundleForBrowsers(), folder);
}

/** The bundled files, by name and by entry, to be served below `folder`. */
export function assetsOf(bundled: readonly Bundled[], folder: string): Assets {
  const byName = new Map(
    bundled.map(({ name, contentType, text }) => [
      name,
      assetOf({ contentType, content: new TextEncoder().encode(text) }),
    ]),
  );
  const byEntry = new Map(bundled.flatMap((one) => (one.entry === undefined ? [] : [[one.entry, one] as const])));
  const builtFrom = (entry: string): Bundled => {
    const found = byEntry.get(entry);
    if (!found) throw new Error(`Nothing was bundled from ${entry}`);
    return found;
  };
  return {
    byName,
    addressOf: (entry) => `${folder}/${builtFrom(entry).name}`,
    textOf: (entry) => builtFrom(entry).text,
  };
}
