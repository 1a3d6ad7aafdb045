/**
 * The address of a link or picture that came from a variable or a model; empty for one that would run code where a
 * client opens it as it is. Clients of others draw rich text, too. Browsers read `java\nscript:` as `javascript:`.
 */
export function safeAddress(address: string): string {
  return runsCode.test(address.replaceAll(ignored, "")) ? "" : address;
}

const ignored = /[\s\p{Cc}]+/gu;
const runsCode = /^(?:javascript|vbscript|data(?!:image\/)):/i;
