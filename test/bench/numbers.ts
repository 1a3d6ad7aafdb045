export type Latencies = { readonly count: number; readonly p50: number; readonly p95: number; readonly p99: number };

/** Percentiles of a list of milliseconds, to the hundredth. */
export function summarise(list: readonly number[]): Latencies {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (part: number): number => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 100) / 100;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
