import { valueAt } from "../../interpreter/flow.ts";
import type { Rule } from "../rule.ts";

export const proxyType = "http proxy";

export const proxyMissing: Rule = {
  name: "proxy_missing",
  severity: "warning",
  about:
    "A request cannot use the proxy in its block. Either the workspace does not have the proxy, so Parley does not send the request, or the visitor's browser sends the request, without the proxy. Proxies that come from a variable are not checked.",
  advice: "Choose a proxy of this workspace, let Parley send the request, or remove the proxy.",
  needsWorkspace: true,
  *find({ blocks, references, facts: { credentials } }) {
    for (const { block, group, node } of blocks) {
      for (const { id, path, wanted } of references[node]?.credentials ?? []) {
        if (wanted !== proxyType) continue;
        const place = { path, groupId: group.id, blockId: block.id };
        if (valueAt(block.options, "isExecutedOnClient") === true)
          yield { ...place, message: "The visitor's browser sends this request, without the proxy." };
        else if (credentials && !id.includes("{{") && credentials.get(id) !== proxyType)
          yield { ...place, message: "This workspace does not have this proxy, so the request is not sent." };
      }
    }
  },
};
