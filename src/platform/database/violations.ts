import postgres from "postgres";

/**
 * Returns the name of the unique index or foreign key that a failed statement violated, or undefined for other errors.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("constraint_name" in error)) return undefined;
  const isViolation = error.code === "23505" || error.code === "23503";
  return isViolation && typeof error.constraint_name === "string" ? error.constraint_name : undefined;
}

/** Whether the database rejected a statement because its values have the wrong type or violate a constraint. */
export function isBadData(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError && /^2[23]/.test(error.code);
}
