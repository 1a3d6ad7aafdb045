/**
 * Returns the address of a link or picture that comes from a variable or model, or "" if opening the address would run
 * code. This also protects third-party clients that render rich text. White space is ignored, because browsers treat
 * `java\nscript:` as `javascript:`.
 */
export function safeAddress(address: string): string {
  return runsCode.test(address.replaceAll(ignored, "")) ? "" : address;
}

const ignored = /[\s\p{Cc}]+/gu;
const runsCode = /^(?:javascript|vbscript|data(?!:image\/)):/i;
