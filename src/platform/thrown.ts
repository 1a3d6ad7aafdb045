/**
 * The code of something that was thrown, whether the system, PostgreSQL or its driver gave it; undefined if it has
 * none.
 */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The message of something that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
