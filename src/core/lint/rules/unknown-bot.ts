import { placeIn } from "../facts.ts";
import { eachWay } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const unknownBot: Rule = {
  name: "unknown_bot",
  severity: "warning",
  about:
    "A link refers to a bot that this workspace does not have, or that is not published. The link is skipped, and the result's log says so.",
  advice: "Choose a bot of this workspace, and publish it.",
  needsWorkspace: true,
  *find(flow) {
    for (const { linted, way } of eachWay(flow)) {
      if (way.kind !== "link" || flow.facts.linkedBots?.get(way.botId) !== null) continue;
      yield {
        ...placeIn(linted, "options.typebotId"),
        message: "The linked bot is not in this workspace, or is not published.",
      };
    }
  },
};
