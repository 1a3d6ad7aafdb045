import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { type Outlet, outletOfEvent, outletsOfBlock } from "../../../core/editing/references/outlets.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { type Insight, passingOf, shareOf, silentOf } from "./rates.ts";

/** The number of chats that reached a card or a block, and how many of them ended there. */
export type ThingRate = {
  readonly reached: number;
  readonly left: number;
  /** Whether enough chats end here to need the author's attention. */
  readonly isLeaving: boolean;
};

export type FlowRates = {
  /**
   * The rates of groups, blocks and the start, by id. A chat that was opened but never answered counts as ended at the
   * start.
   */
  readonly things: ReadonlyMap<string, ThingRate>;
  /** The number of chats that followed each edge, by edge id. Edges whose number cannot be determined are left out. */
  readonly edges: ReadonlyMap<string, number>;
  /** The number of all chats. */
  readonly views: number;
};

/** A smaller number or share of chats may be coincidence. */
const leaving = { share: 0.15, chats: 20 } as const;

type Flow = Pick<DraftDocument, "groups" | "events">;
type FlowInsight = Pick<Insight, "blocks" | "edges" | "views" | "starts" | "completions">;

/** Returns the figures of a flow's cards, blocks and edges. */
export function flowRatesOf(insight: FlowInsight, flow: Flow): FlowRates {
  const { views } = insight;
  const blocks = new Map(insight.blocks.map((block) => [block.blockId, rateOf(passingOf(block))]));
  const things = new Map<string, ThingRate>();
  const edges = new Map(insight.edges.map(({ edgeId, chats }) => [edgeId, chats]));
  const places = placesByEdge(flow);
  const note = (outlet: Outlet | undefined, chats: number) => {
    const id = outlet?.edgeId;
    // If several outlets share an edge, the chats from one outlet are not the total of the edge.
    if (id !== undefined && places.get(id) === 1 && !edges.has(id)) edges.set(id, chats);
  };
  for (const event of objectsIn(flow.events ?? [])) {
    const id = idOf(event);
    if (id === undefined || event["type"] !== "start") continue;
    things.set(id, rateOf({ reached: views, left: silentOf(insight) }));
    note(outletOfEvent(event), views);
  }
  for (const group of objectsIn(flow.groups)) {
    const all = objectsIn(group["blocks"]);
    const known = all.flatMap((block) => {
      const id = idOf(block);
      const rate = id === undefined ? undefined : blocks.get(id);
      return id === undefined || rate === undefined ? [] : [{ id, rate }];
    });
    for (const { id, rate } of known) things.set(id, rate);
    const id = idOf(group);
    if (id !== undefined && known.length > 0) things.set(id, rateOfGroup(known.map(({ rate }) => rate)));
    for (const [index, block] of all.entries()) {
      const own = outletsOfBlock(block).find(({ kind }) => kind === "own");
      if (own?.edgeId === undefined) continue;
      const chats = passedOn(all.slice(0, index + 1), blocks);
      if (chats !== undefined) note(own, chats);
    }
  }
  return { things, edges, views };
}

/** Returns the number of outlets at which each edge begins. */
function placesByEdge(flow: Flow): ReadonlyMap<string, number> {
  const blocks = objectsIn(flow.groups).flatMap(({ blocks: list }) => objectsIn(list));
  const outlets = [...objectsIn(flow.events ?? []).map(outletOfEvent), ...blocks.flatMap(outletsOfBlock)];
  const places = new Map<string, number>();
  for (const outlet of outlets) {
    if (outlet?.edgeId !== undefined) places.set(outlet.edgeId, (places.get(outlet.edgeId) ?? 0) + 1);
  }
  return places;
}

function rateOf({ reached, left }: Pick<ThingRate, "reached" | "left">): ThingRate {
  return { reached, left, isLeaving: left >= leaving.chats && shareOf(left, reached) >= leaving.share };
}

function rateOfGroup(rates: readonly ThingRate[]): ThingRate {
  const reached = Math.max(...rates.map((rate) => rate.reached));
  const left = rates.reduce((sum, rate) => sum + rate.left, 0);
  return { ...rateOf({ reached, left }), isLeaving: rates.some(({ isLeaving }) => isLeaving) };
}

/**
 * Returns the number of chats that continued after these blocks, taken from the last block with figures. Undefined if
 * no block has figures, or if the flow branches at or after that block.
 */
function passedOn(blocks: readonly JsonObject[], rates: ReadonlyMap<string, ThingRate>): number | undefined {
  for (const block of blocks.toReversed()) {
    if (outletsOfBlock(block).some(({ kind, edgeId }) => kind !== "own" && edgeId !== undefined)) return undefined;
    const rate = rates.get(idOf(block) ?? "");
    if (rate) return rate.reached - rate.left;
  }
  return undefined;
}

/** Returns the thickness of an edge, from 1 to 10. */
export function thicknessOf(chats: number, views: number): number {
  return Math.max(1, Math.round(shareOf(chats, views) * 10));
}
