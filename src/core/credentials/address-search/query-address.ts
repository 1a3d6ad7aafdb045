/**
 * The address of a search, with `{{query}}` in place of the search text, and with `{{key}}` if the service takes its
 * key in the address. Otherwise the address's fault, as the end of a sentence. The caller checks whether the address
 * may be called.
 */
export function readQueryAddress(text: string): { readonly baseUrl: string } | { readonly problem: string } {
  const address = text.trim();
  const url = filledIn(address, { query: "a", key: "b" });
  // If the host differs, a visitor's words would decide which server is called.
  const otherOrigin = originOf(filledIn(address, { query: "c", key: "d" }));
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isHttp || url.origin !== otherOrigin) {
    return { problem: "must be an address such as https://search.example.com/v1?text={{query}}" };
  }
  if (url.username !== "" || url.password !== "") return { problem: "must not contain a user name or a password" };
  if (url.hash !== "") return { problem: "must not contain a fragment" };
  if (!address.includes("{{query}}")) return { problem: "must contain {{query}}, where the visitor's words go" };
  return { baseUrl: address };
}

/** The address for this search text; undefined if the text would lead to another path. */
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

/** A segment of dots alone changes the path. */
function partsOf(url: URL | null): number | undefined {
  return url?.pathname.split("/").length;
}
