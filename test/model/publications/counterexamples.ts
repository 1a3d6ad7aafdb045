import type { Kept } from "../campaign.ts";

/** Earlier counterexamples whose faults are fixed. The tests repeat their acts. */
export const kept: readonly Kept[] = [
  {
    fault: "a person whose name is only in results that are not yet indexed cannot be erased",
    acts: ["rename 2 0", "copy 0 11", "bringResults 0 7", "rename 0 4", "move 3 2", "erasePerson 3 6"],
  },
  {
    fault: "the model records a chat of an erased person if another bot still contains the person",
    acts: ["chat 3 8", "bringResults 2 8", "erasePerson 1 8", "record 1 0"],
  },
  {
    fault: "the model records a chat of an erased person if another chat of the person still exists",
    acts: ["chat 1 5", "chat 0 9", "erasePerson 0 3", "record 0 1"],
  },
  {
    fault: "the model does not search a copy by a later name of its original",
    acts: ["chat 0 5", "copy 0 3", "rename 0 1", "erasePerson 0 7"],
  },
];
