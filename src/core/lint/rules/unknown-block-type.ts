import { schemaOfBlock } from "../../flow/known-keys.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const unknownBlockType: Rule = {
  name: "unknown_block_type",
  severity: "warning",
  about:
    "Parley stores blocks of an unsupported type unchanged, but skips them in chats and logs this in the result. Variables that these blocks would set stay empty.",
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
