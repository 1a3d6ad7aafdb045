import { limits } from "../../limits/index.ts";

/**
 * Splits items into batches, each as large as a request to the service may be. An item that is too large alone has a
 * batch of its own.
 */
export function inBatches<Item>(items: readonly Item[], bytesOf: (item: Item) => number): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const own = bytesOf(item);
    const last = batches.at(-1);
    bytes += own;
    if (last && last.length < limits.deferredCalls.batch && bytes <= limits.deferredCalls.batchBytes) {
      last.push(item);
    } else {
      batches.push([item]);
      bytes = own;
    }
  }
  return batches;
}
