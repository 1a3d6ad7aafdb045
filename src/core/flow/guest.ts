import { blocks } from "../blocks/index.ts";
import { isJsonObject } from "../interpreter/flow.ts";
import { withoutHidden } from "../interpreter/schemas/schema.ts";
import type { StoredBlock, StoredFlow } from "./document.ts";
import { schemaOfBlock } from "./known-keys.ts";

const secretKeys = new Set(["credentialsId", "proxyCredentialsId"]);

/**
 * Returns the flow as shown to guests of a publicly shared bot. Credential ids, `settings.security`, `settings.models`,
 * initial values of variables, and fields that block schemas hide from guests (such as requests and code) are removed.
 */
export function flowForGuest<Flow extends StoredFlow>(flow: Flow): Flow {
  const { security: _security, models: _models, ...settings } = flow.settings;
  const groups = flow.groups.map((group) => ({
    ...group,
    blocks: (group.blocks ?? []).map(blockForGuest),
  }));
  const variables = flow.variables.map(({ value: __, ...variable }) => variable);
  return { ...flow, groups, settings, variables };
}

function blockForGuest(block: StoredBlock & { readonly options?: unknown }): StoredBlock {
  if (!isJsonObject(block.options)) return block;
  const options = schemaOfBlock(block.type, blocks)?.properties["options"];
  return Object.assign(
    { ...block },
    { options: withoutSecrets(options ? withoutHidden(options, block.options) : block.options) },
  );
}

/** Removes secret keys at any depth. Recursion is safe because stored flows have a limited depth. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !secretKeys.has(key))
      .map(([key, inner]) => [key, withoutSecrets(inner)]),
  );
}
