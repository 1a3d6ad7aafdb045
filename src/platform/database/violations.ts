/** The name of the constraint or unique index that a failed statement violated, or undefined when it failed otherwise. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("constraint_name" in error)) return undefined;
  const isViolation = error.code === "23505" || error.code === "23503";
  return isViolation && typeof error.constraint_name === "string" ? error.constraint_name : undefined;
}
