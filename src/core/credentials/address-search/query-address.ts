/**
 * Validates the URL of an address search service. `{{query}}` marks the position of the search text, and `{{key}}` the
 * position of a key. An error message is phrased as the end of a sentence. The caller checks whether the URL may be
 * called.
 */
export function readQueryAddress(text: string): { readonly baseUrl: string } | { readonly problem: string } {
  const address = text.trim();
  const url = filledIn(address, { query: "a", key: "b" });
  // If the host depended on the query, a visitor's text would determine which server is called.
  const otherOrigin = originOf(filledIn(address, { query: "c", key: "d" }));
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isHttp || url.origin !== otherOrigin) {
    return { problem: "must be an address such as https://search.example.com/v1?text={{query}}" };
  }
  if (url.username !== "" || url.password !== "") return { problem: "must not contain a user name or a password" };
  if (url.hash !== "") return { problem: "must not contain a fragment" };
  if (!address.includes("{{query}}")) return { problem: "must contain {{query}} in place of the visitor's text" };
  return { baseUrl: address };
}

/**
 * Returns the URL for a search text. Returns undefined if the URL is invalid, or if the text would change the origin or
 * the number of path segments.
 */
export function queryAddress(
  address: string,
  values: { readonly query: string; readonly key: string },
): URL | undefined {
  const url = filledIn(address, values);
  const usual = filledIn(address, { ...values, query: "a" });
  const isSamePlace = originOf(url) === originOf(usual) && partsOf(url) === partsOf(usual);
  return url && isSamePlace ? url : undefined;
}

function filledIn(address: string, { query, key }: { query: string; key: string }): URL | null {
  const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
  return URL.parse(address.replaceAll("{{query}}", () => encoded(query)).replaceAll("{{key}}", () => encoded(key)));
}

function originOf(url: URL | null): string | undefined {
  return url?.origin;
}

/** Returns the number of path segments, which the search text `..` would change. */
function partsOf(url: URL | null): number | undefined {
  return url?.pathname.split("/").length;
}
