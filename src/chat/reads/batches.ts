/** Called after each successful statement for several rows. */
export type OnBatch = (of: string, batch: { readonly rows: number; readonly ms: number }) => void;

/** Runs such a statement. */
export async function timed<Result>(
  name: string,
  { length: rows }: readonly unknown[],
  run: () => Promise<Result>,
  onBatch: OnBatch | undefined,
): Promise<Result> {
  const startedAt = performance.now();
  const result = await run();
  onBatch?.(name, { rows, ms: performance.now() - startedAt });
  return result;
}
