import { type FlowBlock, textAt } from "../../interpreter/flow.ts";
import type { BlockRegistry } from "../../interpreter/program/block.ts";

/** Whether a block that calls an address has none, so that it does nothing. */
export function isWithoutAddress({ type, options }: FlowBlock, registry: BlockRegistry): boolean {
  if (!registry.get(type)?.calledAddress) return false;
  return (textAt(options, "webhook", "url") ?? "").trim() === "";
}
