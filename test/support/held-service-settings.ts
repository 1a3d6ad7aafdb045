/** JSON: where the calls of which ticket stand still, such as `{"ticket-1":"before model 2"}`. */
export const holdsVariable = "PARLEY_TEST_HOLDS";

/** Any value: claims last as long as in production. Otherwise they are short. */
export const usualClaimsVariable = "PARLEY_TEST_USUAL_CLAIMS";
