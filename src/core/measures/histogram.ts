/**
 * Durations are counted in buckets whose ends grow by this factor, so that a bucket's middle is within 1 % of all
 * durations in it.
 */
const growth = 1.01 / 0.99;

/** The bucket of a duration. Buckets of several counts can be added up, so that any sum of them has its quantiles. */
export function bucketOf(milliseconds: number): number {
  return milliseconds <= 1 ? 0 : Math.ceil(Math.log(milliseconds) / Math.log(growth));
}

/** The durations that a bucket covers. */
export type Bucket = { readonly bucket: number; readonly count: number };

/**
 * The quantile of this share by the nearest rank (an observed duration, to within 1 %), in milliseconds. Null without
 * any durations.
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
