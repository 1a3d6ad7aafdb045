/** JSON: where the calls of which ticket stand still, such as `{"ticket-1":"before model 2"}`. */
export const holdsVariable = "PARLEY_TEST_HOLDS";
