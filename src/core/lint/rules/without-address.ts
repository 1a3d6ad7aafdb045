import { isWithoutAddress } from "../../interpreter/program/ways.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const withoutAddress: Rule = {
  name: "without_address",
  severity: "warning",
  about:
    "An HTTP request, Zapier, Make or Pabbly block has no address to call, so it does nothing. Such blocks come with imported flows of version 3, which keep their requests elsewhere. One finding is for all of them, at the first.",
  advice: "Enter the address, or remove the block.",
  together: (count) => `${count} blocks have no address to call; this is the first.`,
  *find({ blocks, graph, registry }) {
    for (const linted of blocks) {
      if (!graph.reachable.has(linted.node) || !isWithoutAddress(linted.block, registry.get(linted.block.type)))
        continue;
      yield { ...placeIn(linted, "options.webhook.url"), message: "This block has no address to call." };
    }
  },
};
