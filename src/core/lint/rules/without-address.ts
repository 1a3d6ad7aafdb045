import { isWithoutAddress } from "../../interpreter/program/ways.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const withoutAddress: Rule = {
  name: "without_address",
  severity: "warning",
  about:
    "An HTTP request, Zapier, Make or Pabbly block has no URL to call, so it has no effect. This is often the case in imported flows of version 3, which do not contain their requests. There is one finding for all such blocks, at the first block.",
  advice: "Enter the URL, or remove the block.",
  together: (count) => `${count} blocks have no URL to call; this is the first block.`,
  *find({ blocks, graph, registry }) {
    for (const linted of blocks) {
      if (!graph.reachable.has(linted.node) || !isWithoutAddress(linted.block, registry.get(linted.block.type)))
        continue;
      yield { ...placeIn(linted, "options.webhook.url"), message: "This block has no URL to call." };
    }
  },
};
