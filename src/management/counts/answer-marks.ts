/** The prefixes of rows of `result_values` that contain answers. The id of the answer's variable follows the prefix. */
export const answerMarks = { standing: "\u0001", former: "\u0002" } as const;
