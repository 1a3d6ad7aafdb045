import { blocks } from "../blocks/index.ts";
import { isJsonObject, type JsonObject } from "../interpreter/flow.ts";
import { withBlocks } from "./complete.ts";
import type { StoredBlock, StoredFlow } from "./document.ts";

/** Marks the client-side code of an imported flow as untrusted, so that previews run the code in isolation. */
export function markUnsafe<Flow extends StoredFlow>(flow: Flow): Flow {
  return withBlocks(flow, markBlock);
}

function markBlock(block: StoredBlock & { readonly options?: unknown }): StoredBlock {
  const isUnsafe = blocks.get(block.type)?.runsOnClient?.(block);
  if (isUnsafe === undefined) return block;
  const options: JsonObject = isJsonObject(block.options) ? block.options : {};
  return Object.assign({ ...block }, { options: { ...options, isUnsafe } });
}
