import { blocks } from "../blocks/index.ts";
import type { FlowBlock } from "../interpreter/flow.ts";
import type { CountedValues } from "../interpreter/input-traits.ts";

/** The block types whose answers are counted by value. */
export const countedTypes: readonly string[] = [...blocks.values()]
  .filter(({ input }) => input?.countedValues)
  .map(({ type }) => type);

/**
 * Returns, by block id, the functions that list the counted values of an answer. Blocks without counted values are
 * absent.
 */
export function countedValuesOf(stored: readonly FlowBlock[]): ReadonlyMap<string, CountedValues> {
  return new Map(
    stored.flatMap((block) => {
      const counted = blocks.get(block.type)?.input?.countedValues?.(block);
      return counted ? [[block.id, counted] as const] : [];
    }),
  );
}
