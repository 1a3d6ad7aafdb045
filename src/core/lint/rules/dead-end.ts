import { textAt } from "../../interpreter/flow.ts";
import { itemsOf } from "../../interpreter/program/ways.ts";
import { type LintedBlock, placeIn } from "../facts.ts";
import type { Step } from "../graph.ts";
import { endsLeadBack, type LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const deadEnd: Rule = {
  name: "dead_end",
  severity: "warning",
  about:
    "One path of a block ends the chat without a message, while others continue: a condition that holds and has no edge (later blocks are not reached either), or a choice without an edge and without a block after it. A condition that comes behind a message is an info: the chat ends with that. If all paths of a block end, that is the end of the chat, and in a linked flow an end returns to the other flow: neither is reported.",
  advice: "Lead this way to a group: say goodbye there, if the chat shall end.",
  dependsOnLinks: true,
  *find(linted) {
    const { blocks, graph } = linted;
    if (endsLeadBack(linted)) return;
    let silent: ReadonlySet<number> | undefined;
    for (const place of blocks) {
      const steps = graph.steps[place.node] ?? [];
      if (!graph.reachable.has(place.node) || !steps.some(leadsOn)) continue;
      for (const step of steps) {
        const { way } = step;
        if (leadsOn(step) || step.edgeId !== undefined || !("at" in way) || way.at === undefined) continue;
        silent ??= silentBlocks(linted);
        yield {
          ...placeIn(place, way.at, "itemId" in way ? way.itemId : undefined),
          ...(way.kind !== "stop"
            ? { message: `A visitor who chooses ${nameOf(place, way.at)} reads nothing more: the chat ends.` }
            : silent.has(place.node)
              ? { message: "Where this condition holds, the chat ends without a word." }
              : afterMessage),
        };
      }
    }
  },
};

const afterMessage = {
  severity: "info",
  message: "Where this condition holds, the chat ends with the message before it.",
  advice: "Lead this way to a group, if the chat shall go on.",
} as const;

/** The blocks that some chat comes to without a message since its start or the visitor's last answer. */
function silentBlocks({ blocks, graph, registry }: LintedFlow): ReadonlySet<number> {
  const familyOf = (node: number) => registry.get(blocks[node]?.block.type ?? "")?.family;
  const next = (node: number) => (graph.steps[node] ?? []).flatMap(({ to }) => to);
  const answered = [...graph.reachable].filter((node) => familyOf(node) === "input").flatMap(next);
  const open = [...(graph.start === undefined ? [] : [graph.start]), ...graph.eventStarts, ...answered];
  const silent = new Set<number>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (silent.has(node)) continue;
    silent.add(node);
    if (familyOf(node) !== "bubble") open.push(...next(node));
  }
  return silent;
}

function leadsOn({ to }: Step): boolean {
  return to.length > 0;
}

function nameOf({ block }: LintedBlock, at: string): string {
  const item = itemsOf(block).find((stored) => at.startsWith(stored.at))?.item;
  const name = textAt(item, "content") || textAt(item, "title");
  return name ? `"${name}"` : "this";
}
