export * from "../../../src/commands/bench/numbers.ts";

/**
 * Returns the rise of the least-squares line through evenly spaced values, from the first to the last value, relative
 * to their mean.
 */
export function riseOf(values: readonly number[]): number {
  return (slopeOf(values).slope * (values.length - 1)) / meanOf(values);
}

/**
 * Returns the slope of the least-squares line through evenly spaced values, from one value to the next, and the slope's
 * standard error.
 */
export function slopeOf(values: readonly number[]): { readonly slope: number; readonly error: number } {
  const mean = meanOf(values);
  const middle = (values.length - 1) / 2;
  let covariance = 0;
  let variance = 0;
  for (const [index, value] of values.entries()) {
    covariance += (index - middle) * (value - mean);
    variance += (index - middle) ** 2;
  }
  const slope = covariance / variance;
  const unexplained = values.reduce((sum, value, index) => sum + (value - mean - slope * (index - middle)) ** 2, 0);
  return { slope, error: Math.sqrt(unexplained / (values.length - 2) / variance) };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
