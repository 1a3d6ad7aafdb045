import { AppError } from "../../errors.ts";

/**
 * Whether a request's address is a valid URL. Bun accepts any content of the header `Host`; if the content is not a
 * host, `request.url` is a bare path. The router and `new URL` parse an accepted address in the same way.
 */
export function hasAddress({ url }: Request): boolean {
  return URL.canParse(url) && !url.includes("#");
}

/** Throws `request.invalid_address` if the request's address is not a valid URL. */
export function requireAddress(request: Request): void {
  if (!hasAddress(request)) throw new AppError("request.invalid_address");
}
