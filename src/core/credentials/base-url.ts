/**
 * Validates the base URL of an API, and removes trailing slashes. An error message is phrased as the end of a sentence.
 * The caller checks whether the URL may be called.
 */
export function readBaseUrl(text: string): { readonly baseUrl: string } | { readonly problem: string } {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { problem: "must be an address such as https://models.example.com/v1" };
  }
  if (url.username !== "" || url.password !== "") return { problem: "must not contain a user name or a password" };
  if (text.includes("?")) return { problem: "must not contain a query" };
  if (text.includes("#")) return { problem: "must not contain a fragment" };
  return { baseUrl: url.href.replace(/\/+$/, "") };
}
