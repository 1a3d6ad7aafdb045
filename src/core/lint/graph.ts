import type { StoredFlow } from "../flow/document.ts";
import type { BlockRegistry } from "../interpreter/program/block.ts";
import type { Program, Target } from "../interpreter/program/program.ts";
import type { Way, Ways } from "../interpreter/program/ways.ts";
import type { LintedBlock, LintFacts } from "./facts.ts";

/** One continuation of a block, with its targets. */
export type Step = {
  readonly way: Way;
  /** The edge of the continuation, if it has an edge. */
  readonly edgeId?: string;
  /** The blocks of this flow that may follow. Empty if the walk ends or continues in another bot. */
  readonly to: readonly number[];
};

/**
 * The blocks that may follow each block in the interpreter's walk. Blocks are identified by their index among all
 * blocks except `start` blocks.
 */
export type Graph = {
  readonly ways: readonly Ways[];
  readonly steps: readonly (readonly Step[])[];
  /** The first block of a chat. Undefined if there is none. */
  readonly start: number | undefined;
  /** The blocks to which events other than the start event lead. */
  readonly eventStarts: readonly number[];
  /** The blocks that a chat, an event or a link from another bot can reach. */
  readonly reachable: ReadonlySet<number>;
  /** Whether a reachable block names its target with a variable, so that any group may be reached. */
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
  // Nodes are indexed by group and block id, because a block id may occur twice in a flow that was not written through
  // the API.
  const nodes = new Map<string, Map<string, number>>();
  for (const { block, group, node } of blocks) {
    const inGroup = nodes.get(group.id) ?? new Map<string, number>();
    nodes.set(group.id, inGroup);
    if (!inGroup.has(block.id)) inGroup.set(block.id, node);
  }
  const nodeAt = (target: Target | undefined): number[] => {
    const group = target && program.groups.get(target.groupId);
    if (!group || group.blocks.length === 0) return [];
    // If the block does not exist, the last block of its group runs instead.
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

/** Unknown blocks are skipped, so the chat continues by the block's own edge or at the next block. */
const passedOver: Ways = { waits: false, ways: [{ kind: "on" }] };

function ownEdge({ block }: Pick<LintedBlock, "block">): string | undefined {
  return typeof block.outgoingEdgeId === "string" ? block.outgoingEdgeId : undefined;
}

/** Returns the given blocks and every block that can be reached from them. */
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
