import type { StoredFlow } from "../flow/document.ts";
import type { BlockRegistry } from "../interpreter/program/block.ts";
import type { Program, Target } from "../interpreter/program/program.ts";
import type { Way, Ways } from "../interpreter/program/ways.ts";
import type { LintedBlock, LintFacts } from "./facts.ts";

/** The target of one way of a block. */
export type Step = {
  readonly way: Way;
  /** The edge of the way, if it has one. */
  readonly edgeId?: string;
  /** The blocks that may come next. None: the walk ends. */
  readonly to: readonly number[];
};

/**
 * The blocks that may follow each block in the interpreter's walk. Blocks are numbers: their positions among all
 * blocks.
 */
export type Graph = {
  readonly ways: readonly Ways[];
  readonly steps: readonly (readonly Step[])[];
  /** The block that a chat starts with; undefined if no block does. */
  readonly start: number | undefined;
  /** The first blocks of events. */
  readonly eventStarts: readonly number[];
  /** Blocks that a chat or an event can reach. */
  readonly reachable: ReadonlySet<number>;
  /** Whether some reachable block names its target by a variable, so that any group can be reached. */
  readonly goesAnywhere: boolean;
};

type Parts = {
  readonly flow: StoredFlow;
  readonly blocks: readonly LintedBlock[];
  readonly program: Program;
  readonly registry: BlockRegistry;
  readonly facts: LintFacts;
};

export function buildGraph({ flow, blocks, program, registry, facts }: Parts): Graph {
  // By both ids: in a flow that was never written through the API, a block's id may occur twice.
  const nodes = new Map<string, Map<string, number>>();
  for (const { block, group, node } of blocks) {
    const inGroup = nodes.get(group.id) ?? new Map<string, number>();
    nodes.set(group.id, inGroup);
    if (!inGroup.has(block.id)) inGroup.set(block.id, node);
  }
  const nodeAt = (target: Target | undefined): number[] => {
    const group = target && program.groups.get(target.groupId);
    if (!group || group.blocks.length === 0) return [];
    // Instead of a missing block, the last block of its group runs.
    const wanted =
      target.blockId === undefined
        ? group.blocks[0]
        : (group.blocks.find(({ id }) => id === target.blockId) ?? group.blocks.at(-1));
    const node = wanted && nodes.get(group.id)?.get(wanted.id);
    return node === undefined ? [] : [node];
  };
  const throughEdge = (edgeId: string | undefined) => (edgeId === undefined ? [] : nodeAt(program.edges.get(edgeId)));
  const ways = blocks.map(({ block }) => registry.get(block.type)?.ways(block) ?? passedOver);
  const afterJumps = blocks.flatMap(({ node }) =>
    ways[node]?.ways.some(({ kind }) => kind === "jump" || kind === "anywhere") ? afterJump(node) : [],
  );

  function afterJump(node: number): number[] {
    const linted = blocks[node];
    if (!linted) return [];
    return linted.isLast ? throughEdge(ownEdge(linted)) : [node + 1];
  }

  function stepsOf({ node, ...linted }: LintedBlock, way: Way): Step[] {
    const own = ownEdge(linted);
    switch (way.kind) {
      case "on":
        if (own !== undefined) return [{ way, edgeId: own, to: throughEdge(own) }];
        return [{ way, to: linted.isLast ? [] : [node + 1] }];
      case "next":
        if (!linted.isLast) return [{ way, to: [node + 1] }];
        return [{ way, ...(own !== undefined && { edgeId: own }), to: throughEdge(own) }];
      case "edge":
        return [{ way, edgeId: way.edgeId, to: throughEdge(way.edgeId) }];
      case "stop":
        return [{ way, to: [] }];
      case "jump":
        return [{ way, to: jumpTarget(way) }];
      case "anywhere":
        return [{ way, to: flow.groups.flatMap(({ id }) => nodeAt({ groupId: id })) }];
      case "return":
        return [{ way, to: afterJumps }];
      case "link":
        if (way.botId !== "current") return [{ way, to: [] }];
        return [{ way, to: way.groupId === undefined ? nodeAt(startTarget()) : nodeAt({ groupId: way.groupId }) }];
      default:
        return way satisfies never;
    }
  }

  function jumpTarget({ groupId, blockId }: { groupId: string; blockId?: string }): number[] {
    const group = program.groups.get(groupId);
    if (!group || (blockId !== undefined && !group.blocks.some(({ id }) => id === blockId))) return [];
    return nodeAt({ groupId, ...(blockId !== undefined && { blockId }) });
  }

  function startTarget(): Target | undefined {
    return program.startEdgeId === undefined ? undefined : program.edges.get(program.startEdgeId);
  }

  const steps = blocks.map((linted) => (ways[linted.node]?.ways ?? []).flatMap((way) => stepsOf(linted, way)));
  const [start] = nodeAt(startTarget());
  const eventStarts = program.events
    .filter(({ type }) => type !== "start")
    .flatMap(({ outgoingEdgeId }) => throughEdge(outgoingEdgeId ?? undefined));
  const linkedTo = (facts.linkedFrom ?? []).flatMap(({ groupId }) => (groupId === null ? [] : nodeAt({ groupId })));
  const entries = [...(start === undefined ? [] : [start]), ...eventStarts, ...linkedTo];
  const reachable = reachableFrom(entries, steps);
  const goesAnywhere = [...reachable].some((node) => ways[node]?.ways.some(({ kind }) => kind === "anywhere"));
  return { ways, steps, start, eventStarts, reachable, goesAnywhere };
}

/** Unknown blocks are skipped, by their own edge or to the next block. */
const passedOver: Ways = { waits: false, ways: [{ kind: "on" }] };

function ownEdge({ block }: Pick<LintedBlock, "block">): string | undefined {
  return typeof block.outgoingEdgeId === "string" ? block.outgoingEdgeId : undefined;
}

/** These blocks, and every block that can be reached from them. */
export function reachableFrom(entries: readonly number[], steps: Graph["steps"]): Set<number> {
  const reached = new Set(entries);
  const open = [...reached];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const { to } of steps[node] ?? []) {
      for (const next of to) {
        if (reached.has(next)) continue;
        reached.add(next);
        open.push(next);
      }
    }
  }
  return reached;
}
