import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const advice: Rule = {
  name: "advice",
  severity: "warning",
  about:
    "A note that depends on the block's type: an e-mail that contains visitors' text as HTML, a payment without an edge for the case that it is not possible, a model block without a model or without credentials, or a block with an assistant, because OpenAI switched assistants off.",
  advice: "Follow the note, or let the block ignore this rule.",
  *find({ blocks, registry }) {
    for (const linted of blocks) {
      const message = registry.get(linted.block.type)?.advice?.(linted.block);
      if (message !== undefined) yield { ...placeIn(linted), message };
    }
  },
};
