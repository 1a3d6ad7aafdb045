/** The database and the configuration of a node that is a process of its own, as JSON. */
export const settingsVariable = "PARLEY_TEST_NODE";

/** The path under which its test asks it for more than visitors do. */
export const actsPath = "/.acts/";
