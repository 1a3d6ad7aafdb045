import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const advice: Rule = {
  name: "advice",
  severity: "warning",
  about:
    "A note that depends on the block's type. For example, an e-mail contains visitors' text as HTML, a payment has no credentials, a model block has no model, or a block uses an assistant, although OpenAI has discontinued assistants.",
  advice: "Follow the note, or let the block ignore this rule.",
  *find({ blocks, registry }) {
    for (const linted of blocks) {
      const message = registry.get(linted.block.type)?.advice?.(linted.block);
      if (message !== undefined) yield { ...placeIn(linted), message };
    }
  },
};
