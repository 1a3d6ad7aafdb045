import { startKindOf } from "./convert.ts";
import type { FlowParts, StoredBlock, StoredFlow } from "./document.ts";

/**
 * Returns a complete flow. Absent parts are empty (`events` is null), and an absent version is derived from the kind of
 * start.
 */
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

/**
 * Returns only the flow of an object that may have further properties, such as a database row. Publications store and
 * hash this part.
 */
export function flowOf({ version, events, groups, edges, variables, theme, settings }: StoredFlow): StoredFlow {
  return { version, events, groups, edges, variables, theme, settings };
}

/** Returns the flow with each block replaced by the result of `change`. */
export function withBlocks<Flow extends StoredFlow>(flow: Flow, change: (block: StoredBlock) => StoredBlock): Flow {
  const groups = flow.groups.map((group) => ({ ...group, ...(group.blocks && { blocks: group.blocks.map(change) }) }));
  return { ...flow, groups };
}
