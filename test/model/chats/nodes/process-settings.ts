/** The environment variable with the database and the configuration of a separate node process, as JSON. */
export const settingsVariable = "PARLEY_TEST_NODE";

/** The beginning of the paths of the test's own requests to the node. */
export const actsPath = "/.acts/";
