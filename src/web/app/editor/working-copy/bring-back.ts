import type { Change, DraftDocument, Target } from "../../../../core/editing/changes/change.ts";
import { openDraft } from "../../../../core/editing/changes/open-draft.ts";
import { keyOf, targetsIn } from "../../../../core/editing/changes/things.ts";

/**
 * Returns the changes of a removal's inverse that restore the objects in `gone` or their containers, with the edges
 * from and to them.
 */
export function bringBack(inverse: readonly Change[], gone: readonly Target[]): Change[] {
  const wanted = new Set(gone.map(keyOf));
  const things = inverse.filter(
    (undo) =>
      undo.op === "add" &&
      undo.of !== "edge" &&
      targetsIn(undo.of, undo.value, undo.in).some((target) => wanted.has(keyOf(target))),
  );
  const text = JSON.stringify(things);
  const back = new Set(
    things.flatMap((undo) => (undo.op === "add" ? targetsIn(undo.of, undo.value, undo.in) : [])).map(keyOf),
  );
  const begins = inverse.filter(({ op, of }) => op === "set" && of !== "edge");
  const edges = inverse.flatMap((undo) => {
    if (undo.op !== "add" || undo.of !== "edge") return [];
    const id = undo.value["id"];
    const leadsThere =
      begins.some((begin) => isBegin(begin, id)) && targetsOfEdge(undo.value).some((key) => back.has(key));
    return leadsThere || text.includes(JSON.stringify(id)) ? [undo] : [];
  });
  return [...things, ...edges, ...begins.filter((begin) => edges.some(({ value }) => isBegin(begin, value["id"])))];
}

/**
 * Returns the part of a restoration that is still possible in a draft. An edge is omitted if its outlet was removed or
 * is connected elsewhere.
 */
export function fitting(draft: DraftDocument, restore: readonly Change[]): readonly Change[] {
  const open = openDraft(draft);
  const isFree = (change: Change) =>
    change.op !== "set" || (open.find(change) !== undefined && !open.read(change, change.path));
  const [fits, others] = [restore.filter(isFree), restore.filter((change) => !isFree(change))];
  const held = JSON.stringify(fits.filter(({ of }) => of !== "edge"));
  return fits.filter((change) => {
    if (change.op !== "add" || change.of !== "edge") return true;
    const id = change.value["id"];
    return !others.some((other) => isBegin(other, id)) || held.includes(JSON.stringify(id));
  });
}

function isBegin(change: Change, edgeId: unknown): boolean {
  return change.op === "set" && change.path.at(-1) === "outgoingEdgeId" && change.value === edgeId;
}

/** Returns the keys of the group and the block to which an edge leads. */
function targetsOfEdge({ to }: { readonly [key: string]: unknown }): string[] {
  if (typeof to !== "object" || to === null) return [];
  const { groupId, blockId } = { groupId: undefined, blockId: undefined, ...to };
  return [
    ...(typeof groupId === "string" ? [keyOf({ of: "group", id: groupId })] : []),
    ...(typeof blockId === "string" ? [keyOf({ of: "block", id: blockId })] : []),
  ];
}
