import { canonicalHash } from "../../core/flow/canonical.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import { limits } from "../../limits/index.ts";
import type { BotDependencies } from "./drafts/dependencies.ts";

/**
 * The address of a flow (`canonicalHash`). `text` is its JSON, if available: the address of a large flow is computed on
 * another thread.
 */
export async function addressOf(
  { threads }: Pick<BotDependencies, "threads">,
  {
    flow,
    caller,
    text = JSON.stringify(flow),
  }: { readonly flow: StoredFlow; readonly caller: string; readonly text?: string },
): Promise<Buffer> {
  return text.length <= limits.request.bodyOnThreadBytes ? canonicalHash(flow) : threads.addressOf(text, caller);
}
