import type { TObject } from "@sinclair/typebox";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../flow.ts";
import type { Outcome } from "./outcome.ts";
import type { View } from "./view.ts";

/**
 * One possible continuation of a walk after a block. `at` is the path in the block that determines the continuation,
 * such as `items[2]`.
 */
export type Way =
  /** Continues by the block's own edge, or at the next block of the group if the block has no edge. */
  | { readonly kind: "on"; readonly at?: string; readonly itemId?: string }
  /**
   * Continues at the next block of the group. After the last block of the group, the walk continues by the block's own
   * edge.
   */
  | { readonly kind: "next" }
  | { readonly kind: "edge"; readonly edgeId: string; readonly at?: string; readonly itemId?: string }
  /** The path ends at this block, even if more blocks follow in its group. */
  | { readonly kind: "stop"; readonly at?: string; readonly itemId?: string }
  | { readonly kind: "jump"; readonly groupId: string; readonly blockId?: string }
  /** Continues at a group that is named by a variable. */
  | { readonly kind: "anywhere" }
  | { readonly kind: "return" }
  /** Continues in another flow, or in the same flow again (`current`), and then at the next block. */
  | { readonly kind: "link"; readonly botId: string; readonly groupId?: string };

/**
 * The possible continuations of a walk after a block, derived from the stored block without running the flow. `waits`:
 * whether the step ends before the walk continues, because the block waits.
 */
export type Ways = {
  readonly waits: boolean;
  readonly ways: readonly Way[];
  /** The reason why no chat can follow the continuation `on`, although authors may connect it. */
  readonly stuck?: string;
};

/** An item of a stored block, with its path in the block. */
export type StoredItem = { readonly at: string; readonly id: string | undefined; readonly item: unknown };

/** Returns the items of a stored block. */
export function itemsOf(stored: FlowBlock): StoredItem[] {
  const items: readonly unknown[] = Array.isArray(stored.items) ? stored.items : [];
  return items
    .map((item, index) => ({ at: `items[${index}]`, id: textAt(item, "id"), item }))
    .filter(({ item }) => isJsonObject(item));
}

/** Returns the continuation of an item by its edge, or `otherwise` if the item has no edge. */
export function wayOfItem({ at, id, item }: StoredItem, otherwise: "on" | "stop"): Way {
  const edgeId = textAt(item, "outgoingEdgeId");
  const place = { at, ...(id !== undefined && { itemId: id }) };
  if (edgeId !== undefined) return { kind: "edge", edgeId, ...place };
  return { kind: otherwise, ...place };
}

/**
 * Returns the continuations of a choice. A chosen item leads through its own edge, or through the block's edge if the
 * item has none. If several items can be chosen, only the block's edge is possible. If items come from a variable, the
 * block's edge is also possible.
 */
export function waysOfChoice(stored: FlowBlock, { isDynamic }: { isDynamic: boolean }): Ways {
  const ways = itemsOf(stored).map((item) => wayOfItem(item, "on"));
  if (ways.length > 0 && valueAt(stored.options, "isMultipleChoice") === true)
    return { waits: true, ways: [{ kind: "on" }] };
  return { waits: true, ways: isDynamic ? [...ways, { kind: "on" }] : ways };
}

/** Whether blocks with this schema have an edge for failures. */
export function takesFailure(schema: TObject): boolean {
  return valueAt(schema, "properties", "options", "properties", "failure") !== undefined;
}

/** Adds the failure edge to the continuations of a block. */
export function withFailureWay({ ways, ...rest }: Ways, block: unknown): Ways {
  const edgeId = textAt(block, "options", "failure", "outgoingEdgeId");
  if (edgeId === undefined) return { ...rest, ways };
  return { ...rest, ways: [...ways, { kind: "edge", edgeId, at: "options.failure" }] };
}

/**
 * Redirects failed outcomes of a block to its failure edge, if the edge exists in the flow. Writes, session variables,
 * logs and jobs are kept, but only the messages in `failed` are shown. If the client renders the answer with which the
 * step starts, the walk pauses instead.
 */
export function byFailureEdge(block: unknown): (outcome: Outcome, view: View) => Outcome {
  const edgeId = textAt(block, "options", "failure", "outgoingEdgeId");
  return (outcome, view) => {
    const { failed } = outcome;
    if (!failed || edgeId === undefined || !view.program.edges.has(edgeId)) return outcome;
    const { logs = [], writes = [], sessionVariableIds = [], jobs = [] } = outcome;
    const kept = { logs, writes, sessionVariableIds, jobs };
    // A client that renders the answer receives no other output of this step. When the client reports back, the block
    // runs again and follows the edge.
    if (view.isStreamed) return { kind: "pause", ...kept };
    return { kind: "leave", edgeId, ...kept, ...(failed.messages && { messages: failed.messages }) };
  };
}

/** Whether a block that is meant to call an address has none, and therefore does nothing. */
export function isWithoutAddress(
  { options }: FlowBlock,
  definition: { readonly calledAddress?: unknown } | undefined,
): boolean {
  return definition?.calledAddress !== undefined && (textAt(options, "webhook", "url") ?? "").trim() === "";
}
