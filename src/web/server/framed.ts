/**
 * Whether a page is shown in a frame. Browsers report this to hosts with https and to hosts of the same machine. To
 * others they send the address of the page with the link, which for a frame belongs to another site.
 */
export function isFramed({ headers, url }: Request): boolean {
  const shownIn = headers.get("sec-fetch-dest");
  if (shownIn !== null) return ["iframe", "frame", "embed", "object"].includes(shownIn);
  const around = URL.parse(headers.get("referer") ?? "")?.host;
  return around !== undefined && around !== (headers.get("host") ?? new URL(url).host);
}
