import { alwaysComesTo } from "../endings.ts";
import { placeIn } from "../facts.ts";
import { reachableFrom, type Step } from "../graph.ts";
import { endsLeadBack, type LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";
import { lostJump } from "./unknown-group.ts";

export const alwaysBreaksOff: Rule = {
  name: "always_breaks_off",
  severity: "warning",
  about:
    "Regardless of the visitor's answers, every chat reaches a block that cannot work: its edge leads nowhere, it requests a payment that is not possible, it offers no choices, or it leads into an endless loop. Flows with events, and flows that other bots link to, are not checked.",
  advice: "Fix this block, or connect the flow so that chats avoid it.",
  dependsOnLinks: true,
  *find(linted) {
    const { blocks, graph, endless } = linted;
    const { start } = graph;
    if (start === undefined || endless.has(start) || graph.eventStarts.length > 0 || endsLeadBack(linted)) return;
    const exits = graph.steps.map((_, node) => exitsOf(linted, node));
    if (!exits.some(({ working, fault }) => fault !== undefined && working.length === 0)) return;
    const steps = exits.map(({ working }) => working);
    const reached = reachableFrom([start], steps);
    const faulty = blocks.filter(({ node }) => reached.has(node) && exits[node]?.fault !== undefined);
    const broken = faulty.filter(({ node }) => exits[node]?.working.length === 0);
    const [first] = broken;
    if (!first || !alwaysComesTo({ steps }, { from: start, to: broken.map(({ node }) => node) })) return;
    const where = faulty.length > 1 ? "a block that cannot work, such as this one" : "this block";
    yield { ...placeIn(first), message: `Every chat ends at ${where}: ${exits[first.node]?.fault}.` };
  },
};

/**
 * Returns the continuations that chats can follow after a block, and the reason why the other continuations always
 * fail.
 */
function exitsOf(linted: LintedFlow, node: number): { readonly working: Step[]; readonly fault?: string | undefined } {
  const { graph, endless } = linted;
  if (endless.has(node)) return { working: [], fault: "it leads into an endless loop" };
  const { waits = false, stuck } = graph.ways[node] ?? {};
  const open = (graph.steps[node] ?? []).filter(({ way }) => stuck === undefined || way.kind !== "on");
  const lost = open.map((step) => lossOf(linted, step));
  const working = open.filter((_, index) => lost[index] === undefined);
  const fault = lost.find((loss) => loss !== undefined) ?? stuck;
  return { working, fault: fault ?? (waits && working.length === 0 ? "it offers no choices" : undefined) };
}

function lossOf(linted: LintedFlow, { edgeId, way }: Step): string | undefined {
  if (way.kind === "jump") return lostJump(linted, way) && "it jumps to a group or block that does not exist";
  const target = edgeId === undefined ? undefined : linted.program.edges.get(edgeId);
  if (edgeId === undefined || (target && linted.program.groups.has(target.groupId))) return undefined;
  return "its edge or the edge's target does not exist";
}
