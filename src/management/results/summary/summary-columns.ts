import { blocks } from "../../../core/blocks/index.ts";
import { inWalkingOrder } from "../../../core/editing/references/walk.ts";
import { type FlowBlock, type FlowDocument, textAt, valueAt } from "../../../core/interpreter/flow.ts";
import { limits } from "../../../limits/index.ts";

/** The kind of values by which a column is summarized. The kind of a variable is `guessed` from its values. */
export type Measured = "choices" | "ratings" | "numbers" | "dates" | "texts" | "guessed";

/** A question or a variable of a flow, as a column of the table of results. */
export type SummaryColumn = {
  /** The id of the question's block, or of the variable. */
  readonly id: string;
  readonly source: "question" | "variable";
  readonly measured: Measured;
  readonly title: string;
  readonly groupTitle: string | null;
  readonly blockType: string | null;
  /** The question's block; absent for a variable. */
  readonly block?: FlowBlock;
};

/**
 * Returns up to `limits.summaries.columns` columns of a summary: the named columns, or otherwise the first columns of
 * the table. In the table, questions come first in the order of a chat. They are followed by the variables that results
 * store and no question fills. Ids that the flow does not contain are left out.
 */
export function summaryColumns(flow: FlowDocument, wanted: readonly string[] | undefined): readonly SummaryColumn[] {
  const all = columnsOf(flow);
  const chosen =
    wanted === undefined
      ? all
      : [...new Set(wanted)].flatMap((id) => {
          const column = all.find((one) => one.id === id);
          return column ? [column] : [];
        });
  return chosen.slice(0, limits.summaries.columns);
}

function columnsOf(flow: FlowDocument): readonly SummaryColumn[] {
  const names = new Map(flow.variables.map(({ id, name }) => [id, name]));
  const asked = new Set<string>();
  const questions = inWalkingOrder(flow).flatMap(({ title, blocks: inside }) =>
    (inside ?? [])
      .filter(({ type }) => blocks.get(type)?.family === "input")
      .map((block): SummaryColumn => {
        const variableId = textAt(block.options, "variableId");
        if (variableId !== undefined) asked.add(variableId);
        return {
          ...{ id: block.id, source: "question", measured: measuredOf(block), blockType: block.type },
          title: (variableId === undefined ? undefined : names.get(variableId)) ?? title ?? "",
          groupTitle: title ?? "",
          block,
        };
      }),
  );
  const variables = flow.variables
    .filter((variable) => !asked.has(variable.id) && valueAt(variable, "isSessionVariable") !== true)
    .map(
      ({ id, name }): SummaryColumn => ({
        ...{ id, source: "variable", measured: "guessed", title: name, groupTitle: null, blockType: null },
      }),
    );
  return [...questions, ...variables];
}

function measuredOf({ type }: FlowBlock): Measured {
  const { inputType, hasNumbers = false, countedValues } = blocks.get(type)?.input ?? {};
  if (inputType === "date") return "dates";
  // A rating is an input for numbers with a fixed set of values.
  if (hasNumbers) return countedValues ? "ratings" : "numbers";
  return countedValues ? "choices" : "texts";
}
