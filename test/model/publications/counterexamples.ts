import type { Kept } from "../campaign.ts";

/** Earlier counterexamples whose faults are fixed. Each run begins with their acts. */
export const kept: readonly Kept[] = [
  {
    fault: "A person could not be erased by a name that only results had that were not indexed yet",
    acts: ["rename 2 0", "copy 0 11", "bringResults 0 7", "rename 0 4", "move 3 2", "erasePerson 3 6"],
  },
  {
    fault: "A chat of an erased person was recorded, in the model, where another bot still showed that person",
    acts: ["chat 3 8", "bringResults 2 8", "erasePerson 1 8", "record 1 0"],
  },
  {
    fault: "A chat of an erased person was recorded, in the model, where another chat of theirs was left",
    acts: ["chat 1 5", "chat 0 9", "erasePerson 0 3", "record 0 1"],
  },
  {
    fault: "A copy was not searched, in the model, by a name that its original got later",
    acts: ["chat 0 5", "copy 0 3", "rename 0 1", "erasePerson 0 7"],
  },
];
