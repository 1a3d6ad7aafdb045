import type { Change } from "../../editing/changes/change.ts";
import { entriesOf, idOf } from "../../editing/changes/things.ts";
import { eachOutlet } from "../../editing/references/outlets.ts";
import type { Rule } from "../rule.ts";

export const unknownTarget: Rule = {
  name: "unknown_target",
  severity: "warning",
  about:
    "An edge leads to a group that does not exist, or to a block that the group does not contain. If the group does not exist, the chat ends; if only the block is missing, the last block of the group runs. If the edge is unused, it is harmless, and the finding is an info.",
  advice: "Connect the edge to an existing group, or remove it.",
  *find(linted) {
    const sources = Map.groupBy(linted.edgeSources, ({ edgeId }) => edgeId);
    for (const [index, { id, to }] of linted.flow.edges.entries()) {
      const group = linted.program.groups.get(to?.groupId ?? "");
      const blockId = to?.blockId;
      if (group && (typeof blockId !== "string" || group.blocks.some((block) => block.id === blockId))) continue;
      const [source] = sources.get(id) ?? [];
      yield {
        path: `edges[${index}]`,
        edgeId: id,
        ...source?.ids,
        message: group
          ? "The edge leads to a block that its group does not contain, so the group's last block runs."
          : "The edge leads to a group that does not exist.",
        ...(!source && { severity: "info" as const }),
        // If the group exists, only the author can choose between the group's last block and another block.
        isFixable: group === undefined,
      };
    }
  },
  fix: {
    about: "Removes an edge to a missing group, and the reference to the edge in its block, item or event.",
    changes(draft, findings) {
      const ids = new Set(findings.map(({ edgeId }) => edgeId));
      const groups = new Set(entriesOf(draft.groups).map(idOf));
      const lost = new Set(
        draft.edges.flatMap(({ id, to }) => (ids.has(id) && !groups.has(to?.groupId ?? "") ? [id] : [])),
      );
      return [
        ...[...eachOutlet(draft)].flatMap(({ edgeId, target, path }): Change[] =>
          edgeId !== undefined && lost.has(edgeId) ? [{ op: "set", ...target, path }] : [],
        ),
        ...[...lost].map((id): Change => ({ op: "remove", of: "edge", id })),
      ];
    },
  },
};
