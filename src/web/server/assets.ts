import type { Page } from "../../management/operations/page.ts";
import { assetOf, notModified, once, respondWithFile } from "./asset.ts";
import { type Bundled, bundleForBrowsers } from "./bundle.ts";

export type Assets = ReturnType<typeof assetsOf>;

const folder = "/assets/chat";

export const loadAssets = once(async () => assetsOf(await bundleForBrowsers(), folder));

/**
 * The URLs of the assets. Except for `/embed.js`, the names of assets contain a hash of their content, so browsers may
 * cache them permanently.
 */
export const assetPages: readonly Page[] = [
  // Some browsers cache a failed import by its URL until the page is left. An embedded chat is therefore retried in a
  // separate folder per attempt, which also changes the URLs of its parts.
  ...[`${folder}/:file`, `${folder}/attempts/:attempt/:file`].map(
    (path): Page => ({
      path,
      host: "chat",
      // Pages of other sites load the scripts of embedded chats.
      isReadAnywhere: true,
      async respond(_deps, request, { params: { attempt, file } }) {
        const isAttempt = attempt === undefined || /^\d{1,3}$/.test(String(attempt));
        return respondWithFile((await loadAssets()).byName, request, { name: isAttempt ? file : undefined });
      },
    }),
  ),
  {
    // The only URL without a hash. Other sites include it in their pages.
    path: "/embed.js",
    host: "chat",
    isReadAnywhere: true,
    async respond(_deps, request) {
      const { addressOf, byName } = await loadAssets();
      const name = addressOf("embed.js").slice(folder.length + 1);
      const headers = {
        "Cache-Control": "public, max-age=300",
        // The ETag is weak, because the same content has several encodings.
        ETag: `W/"${name}"`,
        "Cross-Origin-Resource-Policy": "cross-origin",
      };
      return notModified(request, headers) ?? respondWithFile(byName, request, { name, headers });
    },
  },
];

/** Returns the bundled files by name and by entry, to be served below `folder`. */
export function assetsOf(bundled: readonly Bundled[], folder: string) {
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
    /** Returns the path of the asset that was built from an entry, such as `page.js`. */
    addressOf: (entry: string) => `${folder}/${builtFrom(entry).name}`,
    /** Returns the text of the asset that was built from an entry. */
    textOf: (entry: string) => builtFrom(entry).text,
  };
}
