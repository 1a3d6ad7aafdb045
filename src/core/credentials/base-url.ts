/**
 * The address of an API as it is kept: with its path, without a slash at the end. Otherwise what is wrong with it, as the end of a
 * sentence. Whether it may be called is for who calls.
 */
export function readBaseUrl(text: string): { readonly baseUrl: string } | { readonly problem: string } {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { problem: "must be an address such as https://models.example.com/v1" };
  }
  if (url.username !== "" || url.password !== "") return { problem: "must hold no user name and no password" };
  if (text.includes("?")) return { problem: "must hold no query" };
  if (text.includes("#")) return { problem: "must hold no fragment" };
  return { baseUrl: url.href.replace(/\/+$/, "") };
}
