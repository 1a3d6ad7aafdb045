import isURL from "validator/es/lib/isURL";
import { limits } from "../../../limits/index.ts";

const protocols = ["http", "https"];

/** Whether a text is a web address: a host with a top-level domain, or an IP address. The scheme is optional. */
export function isWebAddress(text: string): boolean {
  // The library accepts `http:example.com`.
  if (/^https?:(?!\/\/)/i.test(text)) return false;
  return isURL(text, { protocols, require_protocol: false, max_allowed_length: limits.reply.webAddressCharacters });
}

/** Whether a text is the address of a stored file: with its scheme, on a public host or on `localhost`. */
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
