/**
 * The members of the object with which the chat page replaces the shadow root of `typebot-standard`. The linter reports
 * any other members that head code uses.
 */
export const formerMembers = ["querySelector", "querySelectorAll", "adoptedStyleSheets", "appendChild"] as const;
