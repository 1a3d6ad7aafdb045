/**
 * Whether a page is shown in a frame. Browsers report this to hosts with HTTPS and to hosts on the same machine. Other
 * hosts receive only the referrer, which belongs to another site if the page is in a frame.
 */
export function isFramed({ headers, url }: Request): boolean {
  const shownIn = headers.get("sec-fetch-dest");
  if (shownIn !== null) return ["iframe", "frame", "embed", "object"].includes(shownIn);
  const around = URL.parse(headers.get("referer") ?? "")?.host;
  return around !== undefined && around !== (headers.get("host") ?? new URL(url).host);
}
