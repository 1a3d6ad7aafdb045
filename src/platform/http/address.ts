import { AppError } from "../../errors.ts";

/**
 * Throws for a request whose address makes no URL. Bun hands on whatever a client put into its header `Host`: behind one that is no
 * host, `request.url` is a bare path. What passes has one reading, for the router and for `new URL`.
 */
export function requireAddress({ url }: Request): void {
  if (!URL.canParse(url) || url.includes("#")) throw new AppError("request.invalid_address");
}
