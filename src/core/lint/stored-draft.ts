import type { DraftDocument } from "../editing/changes/change.ts";
import type { StoredFlow } from "../flow/document.ts";
import { isJsonObject } from "../interpreter/flow.ts";

/**
 * Converts a draft to the stored format, in which absent parts are empty. Throws if the draft lacks groups, edges or
 * variables.
 */
export function storedFlow(draft: DraftDocument): StoredFlow {
  const { version = "6.1", groups, events = null, edges, variables, theme, settings } = draft;
  const flow: object = { version, groups, events, edges, variables, theme: theme ?? {}, settings: settings ?? {} };
  if (!isStored(flow)) throw new TypeError("A draft must have groups, edges and variables");
  return flow;
}

function isStored(flow: object): flow is StoredFlow {
  return isDraft(flow) && "theme" in flow && "settings" in flow;
}

export function isDraft(value: unknown): value is DraftDocument {
  return isJsonObject(value) && "groups" in value && "edges" in value && "variables" in value;
}
