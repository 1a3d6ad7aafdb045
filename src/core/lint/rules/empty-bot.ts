import { startKindOf } from "../../flow/convert.ts";
import type { Rule } from "../rule.ts";

export const emptyBot: Rule = {
  name: "empty_bot",
  severity: "error",
  about:
    "The start leads to no block: visitors see an empty page. For a bot that others link to at one of its groups it is a warning: they need no start.",
  advice: "Lead the start to a group that has blocks.",
  dependsOnLinks: true,
  *find({ flow, graph, facts }) {
    if (startKindOf(flow) === "none" || graph.start !== undefined) return;
    const isPartOfOthers = facts.linkedFrom?.some(({ groupId }) => groupId !== null) ?? false;
    const isBlank = flow.groups.every(({ blocks }) => !blocks?.some(({ type }) => type !== "start"));
    yield {
      path: flow.events ? "events" : "groups",
      message: isBlank ? "There is no block in this bot." : "The start leads to no block, so chats begin with nothing.",
      ...(isPartOfOthers && { severity: "warning" }),
    };
  },
};
