/**
 * Returns the address of a link or picture that comes from a variable or model, or "" if opening the address would run
 * code. Third-party clients also render rich text. Browsers treat `java\nscript:` as `javascript:`.
 */
export function safeAddress(address: string): string {
  return runsCode.test(address.replaceAll(ignored, "")) ? "" : address;
}

const ignored = /[\s\p{Cc}]+/gu;
const runsCode = /^(?:javascript|vbscript|data(?!:image\/)):/i;
