/**
 * Whether a page is shown in a frame. Browsers say so to hosts with https and to those of the same machine; to others
 * they name the page that the address was on, and a frame's is on a page of another site.
 */
export function isFramed({ headers, url }: Request): boolean {
  const shownIn = headers.get("sec-fetch-dest");
  if (shownIn !== null) return ["iframe", "frame", "embed", "object"].includes(shownIn);
  const around = URL.parse(headers.get("referer") ?? "")?.host;
  return around !== undefined && around !== (headers.get("host") ?? new URL(url).host);
}
