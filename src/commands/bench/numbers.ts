export type Latencies = { readonly count: number; readonly p50: number; readonly p95: number; readonly p99: number };

/** Returns percentiles of durations in milliseconds, rounded to hundredths. */
export function summarise(list: readonly number[]): Latencies {
  const sorted = Float64Array.from(list).sort();
  const at = (part: number): number => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 100) / 100;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export type Spread = { readonly median: number; readonly min: number; readonly max: number };

export function spreadOf(list: readonly number[]): Spread {
  return { median: median(list), min: Math.min(...list), max: Math.max(...list) };
}

export function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
