import isURL from "validator/es/lib/isURL";
import { limits } from "../../../limits/index.ts";

const protocols = ["http", "https"];

/** Returns whether the text is a web address with a top-level domain or an IP address. The scheme is optional. */
export function isWebAddress(text: string): boolean {
  // Without this check the library would accept `http:example.com`.
  if (/^https?:(?!\/\/)/i.test(text)) return false;
  return isURL(text, { protocols, require_protocol: false, max_allowed_length: limits.reply.webAddressCharacters });
}

/**
 * Returns whether the text looks like the address of a stored file. The address must have a scheme, and its host must
 * be `localhost`, be an IP address or have a top-level domain.
 */
export function isFileAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  return (
    isWebAddress(text) ||
    isURL(text, {
      protocols,
      require_tld: false,
      host_whitelist: ["localhost"],
      max_allowed_length: limits.reply.webAddressCharacters,
    })
  );
}
