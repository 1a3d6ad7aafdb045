/**
 * The blocks whose last answer is too long to be read out when it arrives. For these answers,
 * `browser/events/answer-status.ts` announces only the number of paragraphs.
 */
export const quietBlocks = new Set<string>();
