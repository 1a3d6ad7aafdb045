import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { outletOfEvent, outletsOfBlock } from "../../../../core/editing/references/outlets.ts";
import { type JsonObject, textAt } from "../../../../core/interpreter/flow.ts";
import type { Walked } from "../../editor/editor.ts";

type Flow = Pick<DraftDocument, "groups" | "events" | "edges">;
type Place = { readonly groupId: string; readonly index: number; readonly blocks: readonly JsonObject[] };

/**
 * Derives the path of a chat through a flow from the blocks that showed or asked something, in order. If exactly one
 * edge leads from one of these blocks to the next, the path contains the edge and the blocks in between. A detour
 * through groups without a text cannot be determined.
 */
export function pathIn(flow: Flow, shown: readonly string[], waitsAt: string | undefined): Walked {
  const places = placesIn(flow);
  const targets = new Map(objectsIn(flow.edges).map((edge) => [idOf(edge) ?? "", edge]));
  const path = { blockIds: new Set<string>(), edgeIds: new Set<string>(), waitsAt };
  const note = (blocks: readonly JsonObject[]) => {
    for (const block of blocks) path.blockIds.add(idOf(block) ?? "");
  };
  /**
   * Returns the index of the edge's target in the block's group; undefined if the target is after the block or in
   * another group.
   */
  const entry = (edgeId: string | undefined, to: Place): number | undefined => {
    const edge = targets.get(edgeId ?? "");
    if (!edge || textAt(edge, "to", "groupId") !== to.groupId) return undefined;
    const blockId = textAt(edge, "to", "blockId");
    const index = blockId === undefined ? 0 : to.blocks.findIndex((block) => idOf(block) === blockId);
    return index >= 0 && index <= to.index ? index : undefined;
  };
  const follow = (
    edges: readonly { readonly edgeId: string | undefined; readonly last: number }[],
    from: readonly JsonObject[],
    to: Place,
  ) => {
    const led = edges.flatMap(({ edgeId, last }) => {
      const first = entry(edgeId, to);
      return first === undefined || edgeId === undefined ? [] : [{ edgeId, first, last }];
    });
    const [only] = led;
    if (!only || new Set(led.map(({ edgeId }) => edgeId)).size > 1) return;
    path.edgeIds.add(only.edgeId);
    note(from.slice(0, only.last));
    note(to.blocks.slice(only.first, to.index));
  };
  let before: Place | undefined;
  for (const id of shown) {
    const place = places.get(id);
    if (!place) continue;
    path.blockIds.add(id);
    if (!before) {
      const starts = objectsIn(flow.events ?? []).filter((event) => event["type"] === "start");
      follow(
        starts.map((event) => ({ edgeId: outletOfEvent(event)?.edgeId, last: 0 })),
        [],
        place,
      );
    } else if (before.groupId === place.groupId && before.index < place.index) {
      note(place.blocks.slice(before.index, place.index));
    } else {
      const rest = before.blocks.slice(before.index);
      const edges = rest.flatMap((block, index) =>
        outletsOfBlock(block).map(({ edgeId }) => ({ edgeId, last: index + 1 })),
      );
      follow(edges, rest, place);
    }
    before = place;
  }
  return path;
}

function placesIn({ groups }: Flow): ReadonlyMap<string, Place> {
  return new Map(
    objectsIn(groups).flatMap((group) => {
      const blocks = objectsIn(group["blocks"]);
      return blocks.map((block, index) => [idOf(block) ?? "", { groupId: idOf(group) ?? "", index, blocks }] as const);
    }),
  );
}
