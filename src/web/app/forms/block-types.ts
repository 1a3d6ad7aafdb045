import { request, useQuery } from "../api/index.ts";
import type { FieldSchema } from "./schema.ts";
import { isObject } from "./values.ts";

/** A type of block or event, as the service's catalogue has it. */
export type BlockType = {
  readonly type: string;
  readonly family: "bubble" | "input" | "logic" | "integration" | "event";
  readonly summary: string;
  readonly schema: FieldSchema;
  readonly editor: {
    readonly name: string;
    readonly icon: string;
    readonly words: readonly string[];
    readonly row: readonly string[];
    readonly related: readonly string[];
  };
  readonly examples: readonly {
    readonly title: string;
    readonly block: { readonly [key: string]: unknown };
    readonly variables?: { readonly [key: string]: unknown };
    readonly reply?: string;
    readonly expect: { readonly [key: string]: unknown };
  }[];
};

/** The schemas of a flow's parts that are no blocks. */
export type FlowSchemas = Readonly<Record<"theme" | "settings" | "event" | "variable" | "group" | "edge", FieldSchema>>;

/** Every type of block and event by its type, in the order of a palette; undefined until it is there. Asked for once. */
export function useBlockTypes(): ReadonlyMap<string, BlockType> | undefined {
  return useQuery("block-types", loadBlockTypes).value;
}

export function useFlowSchemas(): FlowSchemas | undefined {
  return useQuery(
    "flow-schemas",
    async (): Promise<FlowSchemas> => (await request("GET /api/v1/flow-schemas", {})).json(),
  ).value;
}

export async function loadBlockTypes(): Promise<ReadonlyMap<string, BlockType>> {
  const answer: { readonly blockTypes: readonly BlockType[] } = await (
    await request("GET /api/v1/block-types", {})
  ).json();
  return new Map(answer.blockTypes.filter(isObject).map((one) => [one.type, one]));
}
