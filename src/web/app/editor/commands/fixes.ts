import type { Change } from "../../../../core/editing/changes/change.ts";
import type { Command } from "./command.ts";

/** Makes the changes that mend findings, as the linter beside the editor gave them. */
export const mendFindings: Command<{ readonly changes: readonly Change[]; readonly count: number }> = {
  name: (words, { count }) => words.acts.mendFindings({ count }),
  make: (_draft, { changes }) => (changes.length === 0 ? { refused: "cannotBeMade" } : { changes }),
};
