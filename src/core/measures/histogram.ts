/**
 * Durations over 1 ms are counted in buckets whose upper limits grow by this factor. The middle of a bucket therefore
 * differs by at most 1 % from any duration in the bucket.
 */
const growth = 1.01 / 0.99;

/**
 * Returns the bucket of a duration. Buckets from several counts can be added, so quantiles can be computed for any sum.
 */
export function bucketOf(milliseconds: number): number {
  return milliseconds <= 1 ? 0 : Math.ceil(Math.log(milliseconds) / Math.log(growth));
}

/** A bucket and the number of durations in it. */
export type Bucket = { readonly bucket: number; readonly count: number };

/**
 * Returns a quantile in milliseconds by the nearest-rank method, to within 1 % of an observed duration. Durations up to
 * 1 ms count as 1 ms. Returns null if there are no durations.
 */
export function quantile(buckets: readonly Bucket[], share: number): number | null {
  const met = buckets.filter(({ count }) => count > 0).toSorted((a, b) => a.bucket - b.bucket);
  const total = met.reduce((sum, { count }) => sum + count, 0);
  let rank = Math.max(1, Math.ceil(share * total));
  for (const { bucket, count } of met) {
    rank -= count;
    if (rank <= 0) return bucket === 0 ? 1 : (2 * growth ** bucket) / (growth + 1);
  }
  return null;
}
