import type { Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext } from "./effect-context.ts";

/** Makes the address at which another program can call this chat. A preview without a token has none. */
export async function performCallbackAddress(
  { blockId }: { readonly blockId: string },
  { addressOfBlock }: Pick<EffectContext, "addressOfBlock">,
): Promise<Report> {
  const address = await addressOfBlock?.(blockId);
  if (address === undefined) return { kind: "refused", reason: "A preview without a token cannot be called" };
  return { kind: "callbackAddress", address };
}
