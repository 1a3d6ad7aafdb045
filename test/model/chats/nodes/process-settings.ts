/** The database and the configuration of a node in a process of its own, as JSON. */
export const settingsVariable = "PARLEY_TEST_NODE";

/** The path of the test's own requests to the node. */
export const actsPath = "/.acts/";
