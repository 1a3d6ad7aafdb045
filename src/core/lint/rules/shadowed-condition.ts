import type { StoredCondition } from "../conditions.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const shadowedCondition: Rule = {
  name: "shadowed_condition",
  severity: "warning",
  about:
    "Whenever a condition of a block is true, an earlier condition of the block is also true, so the later condition is never used. The rule compares the comparisons literally.",
  advice: "Put the narrower condition first, or remove it.",
  *find({ blocks, conditions }) {
    for (const linted of blocks) {
      const deciding = (conditions[linted.node] ?? []).filter(
        ({ isWay, comparisons }) => isWay && comparisons.length > 0,
      );
      const keys = deciding.slice(0, mostJudged).map(keysOf);
      for (const [index, later] of keys.entries()) {
        const condition = deciding[index];
        if (!condition || !keys.slice(0, index).some((earlier) => implies(later, earlier))) continue;
        yield {
          ...placeIn(linted, condition.at, condition.itemId),
          message: "Whenever this condition is true, an earlier condition is also true and is used instead.",
        };
      }
    }
  },
};

/** The maximum number of conditions of a block that are checked. Every pair of conditions is compared. */
const mostJudged = 100;

type Keys = { readonly isOr: boolean; readonly keys: ReadonlySet<string>; readonly isWhole: boolean };

function keysOf({ isOr, comparisons }: StoredCondition): Keys {
  const whole = comparisons.filter((comparison) => comparison !== undefined);
  return {
    isOr: isOr && comparisons.length > 1,
    keys: new Set(whole.map((comparison) => JSON.stringify(comparison))),
    isWhole: whole.length === comparisons.length,
  };
}

function implies(later: Keys, earlier: Keys): boolean {
  // Conditions that are never true are reported by another rule.
  if (!later.isWhole || !earlier.isWhole) return false;
  if (earlier.isOr) return later.isOr ? later.keys.isSubsetOf(earlier.keys) : !later.keys.isDisjointFrom(earlier.keys);
  return later.isOr ? false : earlier.keys.isSubsetOf(later.keys);
}
