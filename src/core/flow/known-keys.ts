import { type TObject, Type } from "@sinclair/typebox";
import type { BlockRegistry } from "../interpreter/program/block.ts";

/**
 * Known block types that are not served, with the schemas of their stored parts. `start` is where flows of versions 3
 * to 5 begin.
 */
export const unservedBlocks: ReadonlyMap<string, TObject> = new Map([["start", Type.Object({})]]);

/** The known schema of a block's parts by its type; undefined for an unknown type. */
export function schemaOfBlock(type: string, blocks: BlockRegistry): TObject | undefined {
  return blocks.get(type)?.schema ?? unservedBlocks.get(type);
}
