import { schemaOfBlock } from "../../flow/known-keys.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const unknownBlockType: Rule = {
  name: "unknown_block_type",
  severity: "warning",
  about:
    "Blocks of an unsupported type are stored unchanged and skipped, and the result's log says so. Variables that they would set stay empty.",
  advice: "Replace the block, or remove it.",
  *find({ blocks, registry }) {
    for (const linted of blocks) {
      const { type } = linted.block;
      if (registry.has(type)) continue;
      const isKnown = schemaOfBlock(type, registry) !== undefined;
      yield {
        ...placeIn(linted),
        message: `Blocks of type "${type}" ${isKnown ? "are not supported: they are skipped" : "are skipped"}.`,
      };
    }
  },
};
