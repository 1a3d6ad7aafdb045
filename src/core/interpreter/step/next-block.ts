import type { FlowBlock } from "../flow.ts";
import type { Program } from "../program/program.ts";
import { positionOf } from "./walk.ts";

/** The block that is walked behind this one, by its own edge where it has one; undefined where its group ends. */
export function blockBehind(
  program: Program,
  { id, outgoingEdgeId }: { readonly id: string; readonly outgoingEdgeId?: string },
): FlowBlock | undefined {
  if (outgoingEdgeId !== undefined) {
    const position = positionOf(program, { edgeId: outgoingEdgeId });
    return position?.group.blocks[position.index];
  }
  const place = program.places.get(id);
  return place?.group.blocks[place.index + 1];
}
