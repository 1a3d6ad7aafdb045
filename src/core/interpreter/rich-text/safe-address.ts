/**
 * The address of a link or picture from a variable or a model; empty for an address that would run code if a client
 * opens it unchanged. Third-party clients also draw rich text. Browsers read `java\nscript:` as `javascript:`.
 */
export function safeAddress(address: string): string {
  return runsCode.test(address.replaceAll(ignored, "")) ? "" : address;
}

const ignored = /[\s\p{Cc}]+/gu;
const runsCode = /^(?:javascript|vbscript|data(?!:image\/)):/i;
