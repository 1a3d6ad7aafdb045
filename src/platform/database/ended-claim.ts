/** The expiry of a released claim. It is always in the past, even if the clock is adjusted. */
export const endedClaim = new Date(0);
