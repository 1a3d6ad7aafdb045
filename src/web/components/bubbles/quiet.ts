/**
 * The blocks whose last answer is too long to be read out at once: `browser/events/answer-status.ts` announces that it
 * has arrived.
 */
export const quietBlocks = new Set<string>();
