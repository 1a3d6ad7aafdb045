import type { Change } from "../../editing/changes/change.ts";
import type { Rule } from "../rule.ts";

export const unusedEdge: Rule = {
  name: "unused_edge",
  severity: "info",
  about:
    "No block, item or event uses the edge, so visitors never follow it. It often remains after an author drew the edge again. `unknown_target` reports edges to missing groups.",
  advice: "Remove the edge.",
  *find({ flow, program }) {
    const used = followed(flow);
    for (const [index, { id, to }] of flow.edges.entries()) {
      if (used.has(id) || !program.groups.has(to?.groupId ?? "")) continue;
      yield { path: `edges[${index}]`, edgeId: id, message: "Nothing uses this edge." };
    }
  },
  fix: {
    about: "Removes the edge.",
    changes(draft, findings) {
      const used = followed(draft);
      const ids = new Set(findings.map(({ edgeId }) => edgeId));
      return draft.edges.flatMap(({ id }): Change[] =>
        ids.has(id) && !used.has(id) ? [{ op: "remove", of: "edge", id }] : [],
      );
    },
  },
};

/** Returns every id in a key that ends with `edgeId` or `EdgeId`, including keys in blocks of unknown types. */
function followed({ groups, events }: { readonly groups: unknown; readonly events?: unknown }): ReadonlySet<string> {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === "string") {
        if (key.endsWith("dgeId")) ids.add(inner);
      } else walk(inner);
    }
  };
  walk(groups);
  walk(events);
  return ids;
}
