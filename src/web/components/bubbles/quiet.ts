/**
 * The blocks whose last answer is too long to be read out at once: `browser/events/answer-status.ts` says that it is
 * there.
 */
export const quietBlocks = new Set<string>();
