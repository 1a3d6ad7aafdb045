import type { Rule } from "../rule.ts";
import { proxyType } from "./proxy-missing.ts";

export const credentialsMissing: Rule = {
  name: "credentials_missing",
  severity: "warning",
  about:
    "A block uses credentials that its workspace does not have, for example after an import, or credentials of another type. Credentials that come from a variable, and `default`, the operator's own account, are not checked.",
  advice: "Choose credentials of this workspace.",
  needsWorkspace: true,
  *find({ blocks, references, facts: { credentials } }) {
    if (!credentials) return;
    for (const { block, group, node } of blocks) {
      for (const named of references[node]?.credentials ?? []) {
        if (named.id === "default" || named.id.includes("{{") || named.wanted === proxyType) continue;
        const message = messageOf(credentials.get(named.id), named.wanted);
        if (message !== undefined) yield { path: named.path, groupId: group.id, blockId: block.id, message };
      }
    }
  },
};

function messageOf(type: string | undefined, wanted: string | undefined): string | undefined {
  if (type === undefined) return "This workspace does not have these credentials.";
  if (wanted === undefined || type === wanted) return undefined;
  return `These credentials have the type "${type}", but this block needs the type "${wanted}".`;
}
