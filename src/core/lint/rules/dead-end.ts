import { textAt } from "../../interpreter/flow.ts";
import { itemsOf, type Way } from "../../interpreter/program/ways.ts";
import { type LintedBlock, placeIn } from "../facts.ts";
import type { Step } from "../graph.ts";
import { endsLeadBack, type LintedFlow } from "../linted-flow.ts";
import type { Found, Rule } from "../rule.ts";

export const deadEnd: Rule = {
  name: "dead_end",
  severity: "warning",
  about:
    "One path of a block ends the chat without a message, while other paths continue. The path is a condition that is true and has no edge (later blocks do not run either), or a choice without an edge and without a block after it. If a condition's block follows a message, the finding is only an info, because the chat ends with that message. Blocks whose paths all end are not reported, because the chat is meant to end there. Linked flows are not reported, because their end returns to the other flow.",
  advice: "Connect this path to a group, for example to say goodbye if the chat should end there.",
  dependsOnLinks: true,
  *find(linted) {
    const { blocks, graph } = linted;
    if (endsLeadBack(linted)) return;
    let silent: ReadonlySet<number> | undefined;
    for (const place of blocks) {
      const steps = graph.steps[place.node] ?? [];
      if (!graph.reachable.has(place.node) || !steps.some(leadsOn)) continue;
      const ends = steps.flatMap((step) => (leadsOn(step) || step.edgeId !== undefined ? [] : endsAt(step.way)));
      const [first] = ends;
      if (!first) continue;
      silent ??= silentBlocks(linted);
      yield {
        // Several dead ends of a block are reported as one finding.
        ...(ends.length === 1 ? placeIn(place, first.at, first.itemId) : placeIn(place)),
        ...(first.isCondition ? endOfCondition(ends.length, silent.has(place.node)) : endOfChoice(place, ends)),
      };
    }
  },
};

type End = { readonly at: string; readonly itemId: string | undefined; readonly isCondition: boolean };

function endsAt(way: Way): End[] {
  if (!("at" in way) || way.at === undefined) return [];
  return [{ at: way.at, itemId: way.itemId, isCondition: way.kind === "stop" }];
}

function endOfCondition(count: number, isSilent: boolean): Pick<Found, "message" | "severity" | "advice"> {
  const isOne = count === 1;
  if (isSilent) {
    const message = isOne
      ? "If this condition is true, the chat ends without a message."
      : "If one of its conditions is true, the chat ends without a message.";
    return { message };
  }
  return {
    severity: "info",
    message: isOne
      ? "If this condition is true, the chat ends after the message before it."
      : "If one of its conditions is true, the chat ends after the message before it.",
    advice: "Connect this path to a group if the chat should continue.",
  };
}

function endOfChoice(place: LintedBlock, ends: readonly End[]): Pick<Found, "message"> {
  const names = ends.map(({ at }) => nameOf(place, at));
  return { message: `If a visitor chooses ${names.join(" / ")}, the chat ends without another message.` };
}

/**
 * Returns the blocks that a chat can reach without a message since its start, since an event, or since the visitor's
 * last answer.
 */
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
