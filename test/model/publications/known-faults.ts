import type { KnownFault } from "../violation.ts";

/**
 * Faults of the service or of the model that are being fixed. Remove the entry of a fixed fault. All other faults fail
 * the tests.
 */
export const knownFaults: readonly KnownFault[] = [];
