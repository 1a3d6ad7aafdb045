import { canonicalHash } from "../../core/flow/canonical.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import { limits } from "../../limits/index.ts";
import type { BotDependencies } from "./drafts/dependencies.ts";

/**
 * Returns the address of a flow (`canonicalHash`). `text` is the flow's JSON, if available. The address of a large flow
 * is calculated on another thread.
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
