import { canonicalHash } from "../../core/flow/canonical.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import { limits } from "../../limits/index.ts";
import type { BotDependencies } from "./drafts/dependencies.ts";

/** The address of a flow (`canonicalHash`), of which `text` is the JSON where there is one: that of a large one is made where nobody waits for it. */
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
