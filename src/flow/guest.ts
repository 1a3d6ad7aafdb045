import { isJsonObject } from "../interpreter/flow.ts";
import type { StoredBlock, StoredFlow } from "./document.ts";

const secretKeys = new Set(["credentialsId", "proxyCredentialsId"]);

/** The flow as somebody may see it who only looks at a publicly shared bot: without credential ids and `settings.security`. */
export function flowForGuest<Flow extends StoredFlow>(flow: Flow): Flow {
  const { security: _, ...settings } = flow.settings;
  const groups = flow.groups.map((group) => ({
    ...group,
    blocks: (group.blocks ?? []).map(blockForGuest),
  }));
  return { ...flow, groups, settings };
}

function blockForGuest(block: StoredBlock & { readonly options?: unknown }): StoredBlock {
  return isJsonObject(block.options) ? Object.assign({ ...block }, { options: withoutSecrets(block.options) }) : block;
}

/** Stored flows nest to a bounded depth, so recursion is safe. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !secretKeys.has(key))
      .map(([key, inner]) => [key, withoutSecrets(inner)]),
  );
}
