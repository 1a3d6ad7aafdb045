import words from "./operations.json";

/** The groups of operations in the documentation, in order, with their descriptions. */
export const tags = words.groups;

export type Tag = keyof typeof tags;

/**
 * The group of compatible operations in the documentation. It is separate, because new clients need only Parley's own
 * paths.
 */
export const compatibleTag = "Compatible paths" satisfies Tag;

type Words = {
  readonly summary: string;
  readonly description?: string;
  readonly bodyExample?: unknown;
  readonly answerExample?: unknown;
};

const known = words.operations satisfies Record<string, Words>;

/**
 * The id of an operation, with its summary and description. `operations.json` contains the summary, and also the
 * description and examples if they need no value of the program. The definition of an operation that is not listed
 * there contains its summary.
 */
export type Named =
  | { readonly id: keyof typeof known; readonly summary?: never; readonly description?: string }
  | { readonly id: string; readonly summary: string; readonly description?: string };

export function wordsOf(definition: Named): Words {
  return definition.summary === undefined ? known[definition.id] : definition;
}
