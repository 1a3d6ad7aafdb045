/** The end of a claim that was released: always in the past, even if the clock steps. */
export const endedClaim = new Date(0);
