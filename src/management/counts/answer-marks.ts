/**
 * The prefixes of names in `result_values` that mark current and withdrawn answers. The id of the answer's variable
 * follows the prefix.
 */
export const answerMarks = { standing: "\u0001", former: "\u0002" } as const;
