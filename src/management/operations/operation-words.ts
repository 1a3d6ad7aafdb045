import words from "./operations.json";

/** The groups of operations in the documentation, in order, with their descriptions. */
export const tags = words.groups;

export type Tag = keyof typeof tags;

/** The documentation lists these operations separately from our own, which are sufficient for new clients. */
export const compatibleTag = "Compatible paths" satisfies Tag;

type Words = {
  readonly summary: string;
  readonly description?: string;
  readonly bodyExample?: unknown;
  readonly answerExample?: unknown;
};

const known = words.operations satisfies Record<string, Words>;

/**
 * An operation by its id. `operations.json` has its summary, and its description and examples if these need no value of
 * the program. An operation that is not listed there has its summary in its definition.
 */
export type Named =
  | { readonly id: keyof typeof known; readonly summary?: never; readonly description?: string }
  | { readonly id: string; readonly summary: string; readonly description?: string };

export function wordsOf(definition: Named): Words {
  return definition.summary === undefined ? known[definition.id] : definition;
}
