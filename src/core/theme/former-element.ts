/**
 * The members of the chat page's substitute for the shadow root of `typebot-standard`; the linter names other members
 * that head code uses.
 */
export const formerMembers = ["querySelector", "querySelectorAll", "adoptedStyleSheets", "appendChild"] as const;
