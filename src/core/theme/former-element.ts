/**
 * The members of the chat page's stand-in for the shadow root of `typebot-standard`; the linter names others that head
 * code uses.
 */
export const formerMembers = ["querySelector", "querySelectorAll", "adoptedStyleSheets", "appendChild"] as const;
