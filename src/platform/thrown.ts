/**
 * Returns the code of a thrown value, as set by the system, PostgreSQL or its driver. Returns undefined if the value
 * has no code.
 */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Returns the message of a thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
