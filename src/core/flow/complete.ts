import { startKindOf } from "./convert.ts";
import type { FlowParts, StoredBlock, StoredFlow } from "./document.ts";

/** The parts as a whole flow: absent ones are empty, and an absent version follows from how the flow starts. */
export function completeFlow(parts: FlowParts): StoredFlow {
  const { version, events = null, groups = [], edges = [], variables = [], theme = {}, settings = {} } = parts;
  return {
    version: version ?? (startKindOf(parts) === "block" ? "3" : "6"),
    events,
    groups,
    edges,
    variables,
    theme,
    settings,
  };
}

/** The flow of a row that has more columns: the part that a publication keeps and hashes. */
export function flowOf({ version, events, groups, edges, variables, theme, settings }: StoredFlow): StoredFlow {
  return { version, events, groups, edges, variables, theme, settings };
}

/** A flow in which another block replaces each block. */
export function withBlocks<Flow extends StoredFlow>(flow: Flow, change: (block: StoredBlock) => StoredBlock): Flow {
  const groups = flow.groups.map((group) => ({ ...group, ...(group.blocks && { blocks: group.blocks.map(change) }) }));
  return { ...flow, groups };
}
