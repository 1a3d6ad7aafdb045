import { type TObject, Type } from "@sinclair/typebox";
import type { BlockRegistry } from "../interpreter/program/block.ts";

/**
 * Block types that are known but not supported, with their schemas. Flows of versions 3 to 5 begin at a `start` block.
 */
export const unservedBlocks: ReadonlyMap<string, TObject> = new Map([["start", Type.Object({})]]);

/** Returns the schema for a block type, or undefined for an unknown type. */
export function schemaOfBlock(type: string, blocks: BlockRegistry): TObject | undefined {
  return blocks.get(type)?.schema ?? unservedBlocks.get(type);
}
