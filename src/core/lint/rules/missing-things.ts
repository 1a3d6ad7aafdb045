import { secretIn } from "../../interpreter/language/secret-tokens.ts";
import { fileAddressesIn } from "../externals.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const secretMissing: Rule = {
  name: "secret_missing",
  severity: "warning",
  about:
    "A text or code uses a secret that its workspace does not have, for example after an import. The request is not sent, and the result's log says so.",
  advice: "Add a secret with this name in the workspace, or use another secret.",
  needsWorkspace: true,
  *find({ flow, blocks, references, facts: { secrets } }) {
    if (!secrets) return;
    const own = new Set(flow.variables.map(({ name }) => name));
    for (const { block, group, node } of blocks) {
      const found = new Set<string>();
      for (const { name, path } of references[node]?.mentions ?? []) {
        const secret = own.has(name) ? undefined : secretIn(name);
        if (secret === undefined || secrets.has(secret) || found.has(`${path} ${secret}`)) continue;
        found.add(`${path} ${secret}`);
        yield { path, groupId: group.id, blockId: block.id, message: `This workspace has no secret "${secret}".` };
      }
    }
  },
};

export const fileMissing: Rule = {
  name: "file_missing",
  severity: "warning",
  about:
    "A flow shows a file that an author uploaded, but the file was deleted or its workspace no longer exists, so visitors see nothing in its place. Files of other services are not checked.",
  advice: "Upload the file in this workspace, and use its new URL.",
  needsWorkspace: true,
  *find({ flow, blocks, facts: { missingFiles } }) {
    if (!missingFiles || missingFiles.size === 0) return;
    const message = "The file at this URL does not exist.";
    const isMissing = (part: unknown) => fileAddressesIn(part).some(({ address }) => missingFiles.has(address));
    for (const linted of blocks) if (isMissing(linted.block)) yield { ...placeIn(linted), message };
    if (isMissing(flow.theme)) yield { path: "theme", message };
    if (isMissing(flow.settings)) yield { path: "settings", message };
  },
};
