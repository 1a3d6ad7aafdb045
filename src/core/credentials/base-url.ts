/**
 * The address of an API in its stored form: with its path, without a slash at the end. Otherwise its fault, as the end
 * of a sentence. The caller checks whether the address may be called.
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
