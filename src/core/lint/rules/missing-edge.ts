import { isStart, textAt } from "../../interpreter/flow.ts";
import type { Rule } from "../rule.ts";

export const missingEdge: Rule = {
  name: "missing_edge",
  severity: "warning",
  about:
    "An event without an edge runs nothing: a command is rejected with an error, and a reply event has no effect. `empty_bot` reports start events without an edge.",
  advice: "Connect the event to a group, or remove it.",
  *find({ flow }) {
    for (const [index, event] of (flow.events ?? []).entries()) {
      if (isStart(event) || typeof event.outgoingEdgeId === "string") continue;
      const command = textAt(event, "options", "command");
      yield {
        path: `events[${index}]`,
        eventId: event.id,
        message:
          event.type === "command"
            ? `The command "${command ?? ""}" is not connected, so a page that sends it gets an error.`
            : "This event is not connected, so it has no effect.",
      };
    }
  },
};
