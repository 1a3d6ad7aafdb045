import type { Change } from "../../../../core/editing/changes/change.ts";
import type { Command } from "./command.ts";

/** Applies the changes that fix findings. The linter provides the changes. */
export const mendFindings: Command<{ readonly changes: readonly Change[]; readonly count: number }> = {
  name: (words, { count }) => words.acts.mendFindings({ count }),
  make: (_draft, { changes }) => (changes.length === 0 ? { refused: "cannotBeMade" } : { changes }),
};
