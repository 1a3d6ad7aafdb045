import type { Change, DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf } from "../../../core/editing/changes/things.ts";
import { type EdgeTarget, eachOutlet, type Outlet } from "../../../core/editing/references/outlets.ts";
import type { LeadChange } from "./thing-change.ts";

type Owned = { readonly key: string; readonly lead: LeadChange };

/** Compares the targets of the outlets in two flows, and finds the outlet to which a change of an edge belongs. */
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
     * Returns the outlets that are affected by the change of an edge or of an outlet's edge id. Returns undefined for
     * all other changes, and for an edge without an outlet.
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

/** Indexes one of the two flows: its outlets by key, and the outlet of each edge. */
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
