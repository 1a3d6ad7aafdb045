import type { TObject } from "@sinclair/typebox";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../flow.ts";
import type { Outcome } from "./outcome.ts";
import type { View } from "./view.ts";

/**
 * A single way in which a walk may continue from a block. `at` is the place in the block that decides it, such as
 * `items[2]`.
 */
export type Way =
  /** By the block's own edge, else to the next block of its group. */
  | { readonly kind: "on"; readonly at?: string; readonly itemId?: string }
  /** To the next block of its group; after the last block by its own edge. */
  | { readonly kind: "next" }
  | { readonly kind: "edge"; readonly edgeId: string; readonly at?: string; readonly itemId?: string }
  /** The line ends here, even if more blocks follow. */
  | { readonly kind: "stop"; readonly at?: string; readonly itemId?: string }
  | { readonly kind: "jump"; readonly groupId: string; readonly blockId?: string }
  /** To a group that a variable names. */
  | { readonly kind: "anywhere" }
  | { readonly kind: "return" }
  /** Into another flow, or into this flow again (`current`), and after that to the next block. */
  | { readonly kind: "link"; readonly botId: string; readonly groupId?: string };

/**
 * How a walk may continue from a block, according to its stored parts: for readers that do not run the flow. If it
 * `waits`, for the visitor or for the visitor's client, the step ends before the walk continues.
 */
export type Ways = {
  readonly waits: boolean;
  readonly ways: readonly Way[];
  /** Why no chat takes the way `on`, although authors may draw it. */
  readonly stuck?: string;
};

/** An item of a stored block, with its place in it. */
export type StoredItem = { readonly at: string; readonly id: string | undefined; readonly item: unknown };

/** The items of a stored block. */
export function itemsOf(stored: FlowBlock): StoredItem[] {
  const items: readonly unknown[] = Array.isArray(stored.items) ? stored.items : [];
  return items
    .map((item, index) => ({ at: `items[${index}]`, id: textAt(item, "id"), item }))
    .filter(({ item }) => isJsonObject(item));
}

/** The way of an item by its edge; `otherwise` if it has no edge. */
export function wayOfItem({ at, id, item }: StoredItem, otherwise: "on" | "stop"): Way {
  const edgeId = textAt(item, "outgoingEdgeId");
  const place = { at, ...(id !== undefined && { itemId: id }) };
  if (edgeId !== undefined) return { kind: "edge", edgeId, ...place };
  return { kind: otherwise, ...place };
}

/**
 * The ways of an input in which one item is chosen: by the item's edge, else by the block's way. Several chosen items,
 * and items from a variable, also take the block's way.
 */
export function waysOfChoice(stored: FlowBlock, { isDynamic }: { isDynamic: boolean }): Ways {
  const ways = itemsOf(stored).map((item) => wayOfItem(item, "on"));
  if (ways.length > 0 && valueAt(stored.options, "isMultipleChoice") === true)
    return { waits: true, ways: [{ kind: "on" }] };
  return { waits: true, ways: isDynamic ? [...ways, { kind: "on" }] : ways };
}

/** Whether blocks of this schema have an edge for a failure. */
export function takesFailure(schema: TObject): boolean {
  return valueAt(schema, "properties", "options", "properties", "failure") !== undefined;
}

/** The ways of a block, including its edge for a failure. */
export function withFailureWay({ ways, ...rest }: Ways, block: unknown): Ways {
  const edgeId = textAt(block, "options", "failure", "outgoingEdgeId");
  if (edgeId === undefined) return { ...rest, ways };
  return { ...rest, ways: [...ways, { kind: "edge", edgeId, at: "options.failure" }] };
}

/**
 * Leads the failed outcomes of a block by its failure edge, if the flow has that edge: the author's messages after it
 * replace the service's own sentence. Writes and logs stay.
 */
export function byFailureEdge(block: unknown): (outcome: Outcome, view: View) => Outcome {
  const edgeId = textAt(block, "options", "failure", "outgoingEdgeId");
  return (outcome, view) => {
    const { failed } = outcome;
    if (!failed || edgeId === undefined || !view.program.edges.has(edgeId)) return outcome;
    const { logs = [], writes = [], sessionVariableIds = [], jobs = [] } = outcome;
    const kept = { logs, writes, sessionVariableIds, jobs };
    // A client that draws the answer sees no other output of this step: when it reports back, the block is run again
    // and takes its way.
    if (view.isStreamed) return { kind: "pause", ...kept };
    return { kind: "leave", edgeId, ...kept, ...(failed.messages && { messages: failed.messages }) };
  };
}

/** Whether a block of a type that calls an address has no address, so that it does nothing. */
export function isWithoutAddress(
  { options }: FlowBlock,
  definition: { readonly calledAddress?: unknown } | undefined,
): boolean {
  return definition?.calledAddress !== undefined && (textAt(options, "webhook", "url") ?? "").trim() === "";
}
