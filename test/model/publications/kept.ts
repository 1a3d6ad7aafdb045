import type { Kept } from "../campaign.ts";

/** Counterexamples that were found, and whose faults are mended: each run begins with their acts. */
export const kept: readonly Kept[] = [
  {
    fault: "A person could not be erased by a name that only results had that were not indexed yet",
    acts: ["rename 2 0", "copy 0 11", "bringResults 0 7", "rename 0 4", "move 3 2", "erasePerson 3 6"],
  },
];
