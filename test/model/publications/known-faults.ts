import type { KnownFault } from "../violation.ts";

/** Known faults of the service or of the model, which do not fail the tests. Remove the entry of a fixed fault. */
export const knownFaults: readonly KnownFault[] = [];
