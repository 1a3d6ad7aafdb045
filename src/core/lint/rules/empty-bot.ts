import { startKindOf } from "../../flow/convert.ts";
import type { Rule } from "../rule.ts";

export const emptyBot: Rule = {
  name: "empty_bot",
  severity: "error",
  about:
    "The start leads to no block, so visitors see an empty page. If other bots link to one of this bot's groups, this is only a warning, because links do not need a start.",
  advice: "Connect the start to a group with blocks.",
  dependsOnLinks: true,
  *find({ flow, graph, facts }) {
    if (startKindOf(flow) === "none" || graph.start !== undefined) return;
    const isPartOfOthers = facts.linkedFrom?.some(({ groupId }) => groupId !== null) ?? false;
    const isBlank = flow.groups.every(({ blocks }) => !blocks?.some(({ type }) => type !== "start"));
    yield {
      path: flow.events ? "events" : "groups",
      message: isBlank ? "This bot has no blocks." : "The start leads to no block, so chats show nothing.",
      ...(isPartOfOthers && { severity: "warning" }),
    };
  },
};
