import { AppError } from "../../errors.ts";

/**
 * Throws for a request whose address is not a URL. Bun passes on any content of the header `Host`: if that is not a host, `request.url` is a
 * bare path. An accepted address means the same to the router and to `new URL`.
 */
export function requireAddress({ url }: Request): void {
  if (!URL.canParse(url) || url.includes("#")) throw new AppError("request.invalid_address");
}
