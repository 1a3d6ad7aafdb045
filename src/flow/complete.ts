import { startKindOf } from "./convert.ts";
import type { FlowParts, StoredFlow } from "./document.ts";

/** The parts as a whole flow: what is absent is empty, and a version that nobody said follows from the flow's shape. */
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

/** The flow alone, of a row that holds more: what a publication keeps and its hash names. */
export function flowOf({ version, events, groups, edges, variables, theme, settings }: StoredFlow): StoredFlow {
  return { version, events, groups, edges, variables, theme, settings };
}
