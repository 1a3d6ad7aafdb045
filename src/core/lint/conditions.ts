import type { TObject, TSchema } from "@sinclair/typebox";
import { type FlowBlock, isJsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import type { BlockRegistry } from "../interpreter/program/block.ts";
import { itemsOf } from "../interpreter/program/ways.ts";

export type StoredComparison = {
  readonly variableId: string;
  readonly operator: string;
  readonly value: string | undefined;
};

/** A stored condition. Comparisons that are never true, because they have no variable or operator, are undefined. */
export type StoredCondition = {
  readonly at: string;
  readonly itemId: string | undefined;
  /** Whether the condition determines where the flow continues rather than which items are shown. */
  readonly isWay: boolean;
  readonly isOr: boolean;
  readonly comparisons: readonly (StoredComparison | undefined)[];
};

/** Returns the conditions of a block's items. */
export function conditionsOf(block: FlowBlock, registry: BlockRegistry): StoredCondition[] {
  if (!Array.isArray(block.items)) return [];
  const isWay = decidesByItems(registry.get(block.type)?.schema);
  return itemsOf(block).flatMap(({ at, id: itemId, item }): StoredCondition[] => {
    if (isWay) return [{ at, itemId, isWay, ...read(valueAt(item, "content")) }];
    // In cards the condition is part of the options.
    return [["displayCondition"], ["options", "displayCondition"]].flatMap((place) => {
      const condition = valueAt(item, ...place, "condition");
      if (valueAt(item, ...place, "isEnabled") !== true || !isJsonObject(condition)) return [];
      return [{ at: `${at}.${place.join(".")}.condition`, itemId, isWay, ...read(condition) }];
    });
  });
}

/** Whether the items of a block type are conditions. */
function decidesByItems(schema: TObject | undefined): boolean {
  const items: TSchema | undefined = schema?.properties["items"];
  return items?.["items"]?.properties?.content?.isCondition === true;
}

function read(condition: unknown): Pick<StoredCondition, "isOr" | "comparisons"> {
  const stored = valueAt(condition, "comparisons");
  const list: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return {
    isOr: textAt(condition, "logicalOperator") === "OR",
    comparisons: list.map((comparison) => {
      const variableId = textAt(comparison, "variableId");
      const operator = textAt(comparison, "comparisonOperator");
      return variableId && operator ? { variableId, operator, value: textAt(comparison, "value") } : undefined;
    }),
  };
}
