import type { Scenario } from "../campaign.ts";

/** Histories that combine acts of people and of pipelines. */
export const scenarios: readonly Scenario[] = [
  {
    means: "A version is rolled back, and another bot is deployed.",
    acts: ["save 0 *", "publish 0 *", "pull 0 *", "rollBack 0 *", "edit 1 *", "deploy 0 *"],
  },
  {
    means: "A canary runs, and the folder is deployed.",
    acts: ["save 0 *", "beginCanary 0 *", ["pull 0 *", "edit 0 *"], ["edit 1 *", "endCanary 0 *"], "deploy 0 *"],
  },
  {
    means: "A pipeline has an earlier lock.",
    acts: ["commit 0 *", "edit 0 *", "deploy 0 *", "checkOut 0 *", "edit 1 *", "deploy 0 *"],
  },
  {
    means: "A variable is renamed, its bot copied, and a person erased.",
    acts: [
      "chat 0 *",
      ["rename 0 *", "copy 0 *"],
      "publish 0 *",
      ["chat 0 *", "copy 0 *"],
      "erasePerson 0 *",
      "copy 0 *",
    ],
  },
  {
    means: "An answer is kept under a key, and its reader or its person goes.",
    acts: ["chat 0 *", "record 0 *", ["removeMember 0 *", "erasePerson 0 *", "move 0 *"], "askAgain 0 *"],
  },
  { means: "A former release's backup is restored.", acts: ["restoreRelease 0 *"] },
];
