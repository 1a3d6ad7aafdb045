/** The prefix of rows of `result_values` that contain answers; the id of their variable follows. */
export const answerMarks = { standing: "\u0001", former: "\u0002" } as const;
