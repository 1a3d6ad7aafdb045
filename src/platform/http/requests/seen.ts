import { AppError } from "../../../errors.ts";

/**
 * The versions of a resource that the client accepts (`If-Match`), so that newer changes are not overwritten. Undefined
 * accepts any version.
 */
export type Seen = readonly Date[] | undefined;

/** Throws `precondition.failed` unless the client accepts the current version. */
export function requireSeen(seen: Seen, current: Date): void {
  if (!isSeen(seen, current)) throw new AppError("precondition.failed", { data: { updatedAt: current.toISOString() } });
}

export function isSeen(seen: Seen, current: Date): boolean {
  return !seen || seen.some((time) => time.getTime() === current.getTime());
}
