/** The database and the configuration of a node that is a process of its own, as JSON. */
export const settingsVariable = "PARLEY_TEST_NODE";

/** What its test has it do beside its requests. */
export const actsPath = "/.acts/";
