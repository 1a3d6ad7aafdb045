import type { KnownFault } from "../violation.ts";

/**
 * Faults of the service or of the model that are being mended. Remove the entry of one that you mend; nothing else is
 * excused.
 */
export const knownFaults: readonly KnownFault[] = [];
