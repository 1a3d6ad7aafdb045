import { inWalkingOrder } from "../../../../core/editing/references/walk.ts";
import { flagAt } from "../../../conversation/read.ts";
import type { Answer } from "../../api/index.ts";
import { isQuestion } from "../../insight/rates.ts";

export type Result = Answer<"GET /api/v1/bots/:botId/results">["results"][number];

/** A question of the flow, as displayed in the table and in the sheet of a result. */
export type Question = {
  readonly blockId: string;
  readonly label: string;
  /**
   * The title of the question's group, if it differs from the label. It distinguishes questions that set the same
   * variable.
   */
  readonly group?: string | undefined;
  /** Whether the question asks for files. */
  readonly isFile: boolean;
};

type Parts = {
  readonly groups: readonly { readonly title?: unknown; readonly blocks?: unknown }[];
  readonly variables: readonly {
    readonly id?: unknown;
    readonly name?: unknown;
    readonly isSessionVariable?: unknown;
  }[];
};

type Flow = Parts & Parameters<typeof inWalkingOrder>[0];

/**
 * Returns the questions of a flow in walking order. A question is named by its variable, otherwise by its group, and
 * otherwise by its id.
 */
export function questionsOf(flow: Flow): readonly Question[] {
  const names = new Map(flow.variables.map(({ id, name }) => [id, name]));
  return inWalkingOrder(flow).flatMap(({ title, blocks }) =>
    (Array.isArray(blocks) ? blocks : []).filter(isInput).map(({ id, type, options }) => {
      const name = names.get(options?.variableId);
      const label = typeof name === "string" ? name : typeof title === "string" ? title : id;
      const group = typeof title === "string" && title !== label ? title : undefined;
      return { blockId: id, label, group, isFile: type === "file input" || type === "signature input" };
    }),
  );
}

/**
 * Returns the questions that a result answers but the flow does not contain, because they were removed or belong to a
 * linked bot. They are named by their variable, or otherwise by `untitled`.
 */
export function questionsBeside(
  { answers, variables }: Pick<Result, "answers" | "variables">,
  questions: readonly Question[],
  untitled: string,
): readonly Question[] {
  const known = new Set(questions.map(({ blockId }) => blockId));
  const names = new Map(variables.map(({ id, name }) => [id, name]));
  const others = new Map(answers.map(({ blockId, variableId }) => [blockId, variableId]));
  return [...others].flatMap(([blockId, variableId]) =>
    known.has(blockId) ? [] : [{ blockId, label: names.get(variableId ?? "") ?? untitled, isFile: false }],
  );
}

/** Whether a flow contains payments. */
export function takesPayments({ groups }: Pick<Parts, "groups">): boolean {
  return groups.some(({ blocks }) =>
    (Array.isArray(blocks) ? blocks : []).some(({ type }) => type === "payment input"),
  );
}

/** Whether visitors can rate answers of language models. */
export function takesRatings({ settings }: { readonly settings: unknown }): boolean {
  return flagAt(settings, "answers", "isRated") === true;
}

/** A variable that results store. */
export type KeptVariable = { readonly id: string; readonly name: string };

/**
 * Returns the variables that results store and no question sets. A variable that a question sets already has a column.
 */
export function variablesOf({ groups, variables }: Parts): readonly KeptVariable[] {
  const asked = new Set(
    groups.flatMap(({ blocks }) =>
      (Array.isArray(blocks) ? blocks : []).filter(isInput).map(({ options }) => options?.variableId),
    ),
  );
  return namedVariables({ variables }).filter(({ id }) => !asked.has(id));
}

/** Returns all variables that results store, by which the results can be filtered. */
export function namedVariables({ variables }: Pick<Parts, "variables">): readonly KeptVariable[] {
  return variables.flatMap(({ id, name, isSessionVariable }) =>
    typeof id === "string" && typeof name === "string" && isSessionVariable !== true ? [{ id, name }] : [],
  );
}

/** Returns the value of a variable as text; empty if there is none. The entries of a list are on separate lines. */
export function valueIn({ variables }: Pick<Result, "variables">, variableId: string): string {
  const value = variables.find(({ id }) => id === variableId)?.value ?? "";
  return typeof value === "string" ? value : value.map((entry) => entry ?? "").join("\n");
}

export type State = "completed" | "started" | "viewed";

export function stateOf({ isCompleted, hasStarted }: Pick<Result, "isCompleted" | "hasStarted">): State {
  if (isCompleted) return "completed";
  return hasStarted ? "started" : "viewed";
}

type InputBlock = {
  readonly id: string;
  readonly type: string;
  readonly options?: { readonly variableId?: unknown } | undefined;
};

function isInput(block: unknown): block is InputBlock {
  if (typeof block !== "object" || block === null || !("type" in block) || !("id" in block)) return false;
  return typeof block.id === "string" && typeof block.type === "string" && isQuestion({ type: block.type });
}
