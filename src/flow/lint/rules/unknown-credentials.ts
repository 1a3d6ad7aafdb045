import type { Rule } from "../rule.ts";

export const unknownCredentials: Rule = {
  name: "unknown_credentials",
  severity: "warning",
  about:
    "A block names credentials that its workspace does not have, as imported flows do. `default` stands for the operator's own account.",
  advice: "Choose credentials of this workspace.",
  *find({ blocks, references, facts: { credentialIds } }) {
    if (!credentialIds) return;
    for (const { block, group, node } of blocks) {
      for (const { id, path } of references[node]?.credentials ?? []) {
        if (id === "default" || credentialIds.has(id)) continue;
        yield {
          ...{ path, groupId: group.id, blockId: block.id },
          message: "This workspace does not have these credentials.",
        };
      }
    }
  },
};
