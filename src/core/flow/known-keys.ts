import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { BlockRegistry } from "../interpreter/program/block.ts";

/**
 * The block types of the flow language that are not served yet, with their known keys: they are stored and checked like the others,
 * and passed over when a flow runs. To serve one of them, move it from here to its own file in `core/blocks/`. Options whose content
 * the reference does not document (records, properties, feed sections) are not checked.
 */
const text = Type.String();
const texts = (keys: string): TProperties => Object.fromEntries(keys.split(" ").map((key) => [key, text]));

const base = texts("action credentialsId");

const optionsByType: Readonly<Record<string, TProperties>> = {
  blink: { ...base, url: text },
};

/** Known block types that are not served, with the schemas of their stored parts. `start` is where flows of versions 3 to 5 begin. */
export const unservedBlocks: ReadonlyMap<string, TObject> = new Map([
  ["start", Type.Object({})],
  ...Object.entries(optionsByType).map(([type, keys]) => [type, Type.Object({ options: Type.Object(keys) })] as const),
]);

/** The known schema of a block's parts by its type; undefined for an unknown type. */
export function schemaOfBlock(type: string, blocks: BlockRegistry): TObject | undefined {
  return blocks.get(type)?.schema ?? unservedBlocks.get(type);
}
