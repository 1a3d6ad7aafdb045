import isURL from "validator/es/lib/isURL";
import { limits } from "../../limits.ts";

const protocols = ["http", "https"];

/** Whether a text is an address on the web: a host with a top-level domain or an IP address, the scheme optional. */
export function isWebAddress(text: string): boolean {
  // The library reads `http:example.com` as an address with a scheme; it is neither that nor a host with a port.
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
