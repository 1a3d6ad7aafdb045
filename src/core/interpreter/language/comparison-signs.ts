import { comparisonOperators, operatorOf } from "./comparison.ts";

/**
 * The signs of the operators that have a sign, by name. A macro: it runs when its caller is compiled, so that pages
 * that only write comparisons do not load the code that evaluates them.
 */
export function signsOfOperators(): Record<string, string> {
  return Object.fromEntries(
    comparisonOperators.flatMap((name) => {
      const { sign } = operatorOf(name);
      return sign === undefined ? [] : [[name, sign]];
    }),
  );
}
