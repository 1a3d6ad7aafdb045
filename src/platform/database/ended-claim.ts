/** The end of a claim that was ended: past, whatever the clock will say. */
export const endedClaim = new Date(0);
