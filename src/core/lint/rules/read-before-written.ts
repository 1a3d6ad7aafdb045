import { reachableFrom } from "../graph.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";
import { eventWrites, takesForeignVariables } from "../variables.ts";

export const readBeforeWritten: Rule = {
  name: "read_before_written",
  severity: "warning",
  about:
    "A text uses a variable that is only set on paths that do not lead to this text, so it is empty. The rule ignores variables that nothing sets or that a condition checks (they may be prefilled), code, bots that remember visitors, and flows with links.",
  advice: "Set the variable earlier, or give it an initial value.",
  *find(linted) {
    const { flow, blocks, graph, references } = linted;
    const judged = isJudged(linted) ? judgedNames(linted) : new Map<string, number>();
    if (judged.size === 0) return;
    const bitOf = new Map(
      flow.variables.flatMap(({ id, name }) => {
        const bit = judged.get(name);
        return bit === undefined ? [] : [[id, bit] as const];
      }),
    );
    const written = writtenBefore(linted, bitOf);
    // An event may run at any time, so any variable may already have a value.
    const inEvents = reachableFrom(graph.eventStarts, graph.steps);
    for (const { block, group, node } of blocks) {
      const said = references[node];
      if (!said || !graph.reachable.has(node) || inEvents.has(node)) continue;
      const own = new Set(said.writes.map(({ id }) => bitOf.get(id)));
      const reported = new Set<number>();
      const isWritten = (bit: number) => (((written[node] ?? 0n) >> BigInt(bit)) & 1n) === 1n;
      for (const { name, path, in: place } of said.mentions) {
        const bit = place === "text" ? judged.get(name) : undefined;
        if (bit === undefined || own.has(bit) || reported.has(bit) || isWritten(bit)) continue;
        reported.add(bit);
        yield {
          ...{ path, groupId: group.id, blockId: block.id },
          message: `"${name}" is empty here, because it is set only later or on other paths.`,
        };
      }
    }
  },
};

function isJudged(linted: LintedFlow): boolean {
  const { facts, flowFacts, graph, references } = linted;
  if (graph.goesAnywhere || flowFacts.remembersUser || (facts.linkedFrom?.length ?? 0) > 0) return false;
  if (takesForeignVariables(linted) || graph.ways.some(({ ways }) => ways.some(({ kind }) => kind === "link")))
    return false;
  return !references.some(({ codes }) => codes.some((code) => code.includes("setVariable")));
}

/**
 * Returns the variables to check, each with its bit index. Each of these variables is written by a reachable block, has
 * no initial value, is not tested by a condition, and is not written by an event or by a block that an event reaches.
 */
function judgedNames({ flow, blocks, graph, references }: LintedFlow): Map<string, number> {
  const nameOf = new Map(flow.variables.map(({ id, name }) => [id, name]));
  const names = new Set<string>();
  const others = new Set([...eventWrites(flow)].map(({ id }) => nameOf.get(id)));
  for (const { name, value } of flow.variables)
    if (value !== undefined && value !== null && value !== "") others.add(name);
  const inEvents = reachableFrom(graph.eventStarts, graph.steps);
  for (const { node } of blocks) {
    const { writes = [], reads = [], mentions = [] } = references[node] ?? {};
    for (const { id } of writes) {
      const name = nameOf.get(id);
      if (name === undefined) continue;
      if (inEvents.has(node)) others.add(name);
      else if (graph.reachable.has(node)) names.add(name);
    }
    for (const { id, in: place } of reads) if (place === "condition") others.add(nameOf.get(id));
    for (const { name, in: place } of mentions) if (place === "condition") others.add(name);
  }
  return new Map([...names].filter((name) => !others.has(name)).map((name, index) => [name, index]));
}

/** Returns, for each block, the variables that a path to the block may have written, as a bit set. */
function writtenBefore({ graph, references }: LintedFlow, bitOf: ReadonlyMap<string, number>): readonly bigint[] {
  const before = graph.steps.map(() => 0n);
  const open = [...graph.reachable].reverse();
  const isOpen = new Set(open);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    isOpen.delete(node);
    let after = before[node] ?? 0n;
    for (const { id } of references[node]?.writes ?? []) {
      const bit = bitOf.get(id);
      if (bit !== undefined) after |= 1n << BigInt(bit);
    }
    for (const next of (graph.steps[node] ?? []).flatMap(({ to }) => to)) {
      const known = before[next] ?? 0n;
      if ((known | after) === known) continue;
      before[next] = known | after;
      if (!isOpen.has(next)) open.push(next);
      isOpen.add(next);
    }
  }
  return before;
}
