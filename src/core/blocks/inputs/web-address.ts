import isURL from "validator/es/lib/isURL";
import { limits } from "../../../limits/index.ts";

const protocols = ["http", "https"];

/** Whether the text is a web address with a top-level domain or an IP address. The scheme is optional. */
export function isWebAddress(text: string): boolean {
  // Without this check the library would accept `http:example.com`.
  if (/^https?:(?!\/\/)/i.test(text)) return false;
  return isURL(text, { protocols, require_protocol: false, max_allowed_length: limits.reply.webAddressCharacters });
}

/**
 * Whether the text has the form of a stored file's address. The address must have a scheme, and its host must have a
 * top-level domain, be an IP address, or be `localhost`.
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
