import type { Change, DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf } from "../../../core/editing/changes/things.ts";
import { type EdgeTarget, eachOutlet, type Outlet } from "../../../core/editing/references/outlets.ts";
import type { LeadChange } from "./thing-change.ts";

type Owned = { readonly key: string; readonly lead: LeadChange };

/** The targets of the places of two flows, and the place to which a change of an edge belongs. */
export function leadsOf(before: DraftDocument, after: DraftDocument) {
  const [old, now] = [sideOf(before), sideOf(after)];
  const owned = (key: string): Owned | undefined => {
    const outlet = now.outlets.get(key) ?? old.outlets.get(key);
    if (!outlet) return undefined;
    const [from, to] = [old.targetOf(key), now.targetOf(key)];
    return { key, lead: { outlet, ...(from && { from }), ...(to && { to }) } };
  };
  return {
    /**
     * The places that a change of an edge, or of a place's edge, concerns; undefined for any other change, and for an
     * edge without a place.
     */
    ownersOf(change: Change): readonly Owned[] | undefined {
      if (change.op === "set" && change.path.at(-1) === "outgoingEdgeId") {
        const one = owned(keyOf(change.of, change.id, change.in, change.path));
        return one && [one];
      }
      if (change.of !== "edge") return undefined;
      const id = change.op === "add" ? idOf(change.value) : change.id;
      const keys = now.ownersOf(id ?? "") ?? old.ownersOf(id ?? "");
      return keys?.flatMap((key) => owned(key) ?? []);
    },
  };
}

/** One of the two flows: its outlets by their places, and the outlet to which an edge belongs. */
function sideOf(draft: DraftDocument) {
  const outlets = new Map<string, Outlet>();
  const owners = new Map<string, string[]>();
  for (const outlet of eachOutlet(draft)) {
    const { target, path, edgeId } = outlet;
    const key = keyOf(target.of, target.id, target.in, path);
    outlets.set(key, outlet);
    if (edgeId !== undefined) owners.set(edgeId, [...(owners.get(edgeId) ?? []), key]);
  }
  const targets = new Map(draft.edges.map(({ id, to }) => [id, targetOf(to)]));
  return {
    outlets,
    ownersOf: (edgeId: string): readonly string[] | undefined => owners.get(edgeId),
    targetOf: (key: string): EdgeTarget | undefined => targets.get(outlets.get(key)?.edgeId ?? ""),
  };
}

function targetOf(to: DraftDocument["edges"][number]["to"]): EdgeTarget | undefined {
  const { groupId, blockId } = to ?? {};
  if (typeof groupId !== "string" && typeof blockId !== "string") return undefined;
  return { groupId: groupId ?? "", ...(typeof blockId === "string" && { blockId }) };
}

function keyOf(of: string, id: string | undefined, within: string | undefined, path: readonly unknown[]): string {
  return JSON.stringify([of, id, within, path]);
}
