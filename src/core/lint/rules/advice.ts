import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const advice: Rule = {
  name: "advice",
  severity: "warning",
  about:
    "A note of the block's type: a mail in which visitors' words are HTML, a payment without a way on where none can be taken, a model block that names no model or no credentials, or asks an assistant, which OpenAI switched off.",
  advice: "Do what the message says, or have the block ignore this rule.",
  *find({ blocks, registry }) {
    for (const linted of blocks) {
      const message = registry.get(linted.block.type)?.advice?.(linted.block);
      if (message !== undefined) yield { ...placeIn(linted), message };
    }
  },
};
