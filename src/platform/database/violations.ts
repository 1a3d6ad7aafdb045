import postgres from "postgres";

/**
 * The name of the constraint or unique index that a failed statement violated, or undefined when it failed otherwise.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("constraint_name" in error)) return undefined;
  const isViolation = error.code === "23505" || error.code === "23503";
  return isViolation && typeof error.constraint_name === "string" ? error.constraint_name : undefined;
}

/**
 * Whether the database refused a statement because of its values, which have another type or break a rule of the table.
 */
export function isBadData(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError && /^2[23]/.test(error.code);
}
