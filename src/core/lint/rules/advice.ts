import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const advice: Rule = {
  name: "advice",
  severity: "warning",
  about:
    "A note of the block's type: a mail that contains visitors' words as HTML, a payment without an edge for the case that it cannot be taken, or a model block without a model or without credentials, or with an assistant, which OpenAI switched off.",
  advice: "Do what the message says, or have the block ignore this rule.",
  *find({ blocks, registry }) {
    for (const linted of blocks) {
      const message = registry.get(linted.block.type)?.advice?.(linted.block);
      if (message !== undefined) yield { ...placeIn(linted), message };
    }
  },
};
