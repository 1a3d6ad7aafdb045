import { AppError } from "../../errors.ts";

/**
 * Whether a request's address is a URL. Bun passes on any content of the header `Host`: if the content is not a host,
 * `request.url` is a bare path. The router and `new URL` read an accepted address in the same way.
 */
export function hasAddress({ url }: Request): boolean {
  return URL.canParse(url) && !url.includes("#");
}

/** Throws for a request whose address is not a URL. */
export function requireAddress(request: Request): void {
  if (!hasAddress(request)) throw new AppError("request.invalid_address");
}
