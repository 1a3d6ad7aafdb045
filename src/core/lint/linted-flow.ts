import { blocks as servedBlocks } from "../blocks/index.ts";
import type { StoredFlow } from "../flow/document.ts";
import { type FlowFacts, factsOf } from "../flow/facts.ts";
import { type FlowBlock, isStart } from "../interpreter/flow.ts";
import type { BlockRegistry } from "../interpreter/program/block.ts";
import { compile, type Program } from "../interpreter/program/program.ts";
import { conditionsOf, type StoredCondition } from "./conditions.ts";
import { type EdgeSource, edgeSources } from "./edge-sources.ts";
import { endlessBlocks } from "./endings.ts";
import { type LintedBlock, type LintFacts, placeIn } from "./facts.ts";
import { buildGraph, type Graph } from "./graph.ts";
import { type BlockReferences, referencesOf } from "./references.ts";

/** A flow with the derived data that rules need. Except for `blocks`, each derived part is computed on first use. */
export type LintedFlow = {
  readonly flow: StoredFlow;
  readonly facts: LintFacts;
  readonly registry: BlockRegistry;
  /** All blocks except `start` blocks, in order. */
  readonly blocks: readonly LintedBlock[];
  /** The flow as compiled by the interpreter. */
  readonly program: Program;
  readonly graph: Graph;
  /** The references of each block to variables and credentials, by node. */
  readonly references: readonly BlockReferences[];
  /** The conditions of each block's items, by node. */
  readonly conditions: readonly (readonly StoredCondition[])[];
  /** The reachable blocks from which neither a waiting block nor an end can be reached. */
  readonly endless: ReadonlySet<number>;
  readonly edgeSources: readonly EdgeSource[];
  readonly flowFacts: FlowFacts;
};

export function readFlow(
  flow: StoredFlow,
  { facts = {}, registry = servedBlocks }: { facts?: LintFacts; registry?: BlockRegistry } = {},
): LintedFlow {
  const blocks = blocksOf(flow);
  const program = once(() => compile("lint", "", flow, registry));
  const graph = once(() => buildGraph({ flow, blocks, program: program(), registry, facts }));
  const endless = once(() => endlessBlocks(graph()));
  const references = once(() => blocks.map(({ block, path }) => referencesOf(block, path, registry)));
  const conditions = once(() => blocks.map(({ block }) => conditionsOf(block, registry)));
  const sources = once(() => [...edgeSources({ flow, blocks, graph: graph() })]);
  const flowFacts = once(() => factsOf(flow));
  return {
    ...{ flow, facts, registry, blocks },
    get program() {
      return program();
    },
    get graph() {
      return graph();
    },
    get endless() {
      return endless();
    },
    get references() {
      return references();
    },
    get conditions() {
      return conditions();
    },
    get edgeSources() {
      return sources();
    },
    get flowFacts() {
      return flowFacts();
    },
  };
}

/** Yields every condition of the flow's items with its position. */
export function* eachCondition({ blocks, conditions }: LintedFlow) {
  for (const linted of blocks) {
    for (const condition of conditions[linted.node] ?? []) {
      yield { condition, place: placeIn(linted, condition.at, condition.itemId) };
    }
  }
}

/** Yields every continuation of a walk after each block. */
export function* eachWay({ blocks, graph }: LintedFlow) {
  for (const linted of blocks) for (const way of graph.ways[linted.node]?.ways ?? []) yield { linted, way };
}

/**
 * Whether the walk may return to a linking flow at an end of this flow, because other bots link to this flow or the
 * flow links to itself.
 */
export function endsLeadBack({ facts, graph }: LintedFlow): boolean {
  if (facts.linkedFrom && facts.linkedFrom.length > 0) return true;
  return graph.steps.some((steps) => steps.some(({ way }) => way.kind === "link" && way.botId === "current"));
}

function blocksOf(flow: StoredFlow): LintedBlock[] {
  const found: LintedBlock[] = [];
  for (const [groupIndex, group] of flow.groups.entries()) {
    const blocks: readonly FlowBlock[] = group.blocks ?? [];
    for (const [index, block] of blocks.entries()) {
      if (isStart(block)) continue;
      const path = `groups[${groupIndex}].blocks[${index}]`;
      found.push({ path, group, block, node: found.length, isLast: index === blocks.length - 1 });
    }
  }
  return found;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
