import type { Change, Target } from "../../../../core/editing/changes/change.ts";
import { bringBack, fitting } from "../working-copy/bring-back.ts";
import { makeable, type Others } from "../working-copy/replica.ts";
import type { Command } from "./command.ts";

/**
 * Returns the last removal that included an object: who removed it, and the changes that restore it. Undefined if there
 * is none.
 */
export function removalOf(
  removals: readonly Others[],
  target: Target,
): { readonly by: Others["by"]; readonly restore: readonly Change[] } | undefined {
  for (const { by, inverse } of removals.toReversed()) {
    const restore = bringBack(inverse, [target]);
    if (restore.length > 0) return { by, restore };
  }
  return undefined;
}

/**
 * Restores an object that another person removed. Changes that no longer fit the draft are omitted; if none fits, the
 * command is refused.
 */
export const restoreRemoved: Command<{ readonly restore: readonly Change[] }> = {
  name: ({ acts }) => acts.bringBack,
  make(draft, { restore }) {
    const changes = makeable(draft, fitting(draft, restore));
    return changes.length === 0 ? { refused: "gone" } : { changes };
  },
};
