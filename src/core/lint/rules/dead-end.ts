import { textAt } from "../../interpreter/flow.ts";
import { itemsOf } from "../../interpreter/program/ways.ts";
import { type LintedBlock, placeIn } from "../facts.ts";
import type { Step } from "../graph.ts";
import type { Rule } from "../rule.ts";

export const deadEnd: Rule = {
  name: "dead_end",
  severity: "warning",
  about:
    "One path of a block ends the chat without a message, while others continue: a condition that holds and has no edge (later blocks are not reached either), or a choice without an edge and without a block after it. If all paths of a block end, that is the end of the chat, and in a linked flow an end returns to the other flow: neither is reported.",
  advice: "Lead this way to a group: say goodbye there, if the chat shall end.",
  dependsOnLinks: true,
  *find({ blocks, graph, facts }) {
    if (facts.linkedFrom && facts.linkedFrom.length > 0) return;
    // Where a part of the flow is linked to, its ends lead back.
    if (graph.steps.some((steps) => steps.some(({ way }) => way.kind === "link" && way.botId === "current"))) return;
    for (const linted of blocks) {
      const steps = graph.steps[linted.node] ?? [];
      if (!graph.reachable.has(linted.node) || !steps.some(leadsOn)) continue;
      for (const step of steps) {
        const { way } = step;
        if (leadsOn(step) || step.edgeId !== undefined || !("at" in way) || way.at === undefined) continue;
        yield {
          ...placeIn(linted, way.at, "itemId" in way ? way.itemId : undefined),
          message:
            way.kind === "stop"
              ? "Where this condition holds, the chat ends without a word."
              : `A visitor who chooses ${nameOf(linted, way.at)} reads nothing more: the chat ends.`,
        };
      }
    }
  },
};

function leadsOn({ to }: Step): boolean {
  return to.length > 0;
}

function nameOf({ block }: LintedBlock, at: string): string {
  const item = itemsOf(block).find((stored) => at.startsWith(stored.at))?.item;
  const name = textAt(item, "content") || textAt(item, "title");
  return name ? `"${name}"` : "this";
}
