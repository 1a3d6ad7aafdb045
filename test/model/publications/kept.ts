import type { Kept } from "../campaign.ts";

/** Counterexamples that were found, and whose faults are mended: each run begins with their acts. */
export const kept: readonly Kept[] = [];
