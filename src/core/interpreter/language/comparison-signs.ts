import { comparisonOperators, operatorOf } from "./comparison.ts";

/**
 * Returns the sign of each operator that has a sign. The function is a macro that runs when its caller is compiled.
 * Pages that only display comparisons therefore do not load the code that evaluates comparisons.
 */
export function signsOfOperators(): Record<string, string> {
  return Object.fromEntries(
    comparisonOperators.flatMap((name) => {
      const { sign } = operatorOf(name);
      return sign === undefined ? [] : [[name, sign]];
    }),
  );
}
