import { schemaOfBlock } from "../../flow/known-keys.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const unknownBlockType: Rule = {
  name: "unknown_block_type",
  severity: "warning",
  about:
    "Blocks of a type that is not run here are kept as they are and passed over, with an entry in the result's log. What they would have written stays empty.",
  advice: "Replace the block, or remove it.",
  *find({ blocks, registry }) {
    for (const linted of blocks) {
      const { type } = linted.block;
      if (registry.has(type)) continue;
      const isKnown = schemaOfBlock(type, registry) !== undefined;
      yield {
        ...placeIn(linted),
        message: `Blocks of type "${type}" ${isKnown ? "are not run here: they are passed over" : "are passed over"}.`,
      };
    }
  },
};
