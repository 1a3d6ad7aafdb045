import { AppError } from "../../../errors.ts";

/**
 * The versions of a resource that a caller accepts (`If-Match`), so that later writes are not overwritten. Undefined:
 * any version.
 */
export type Seen = readonly Date[] | undefined;

/** Throws `precondition.failed` unless this is a version that the caller accepts. */
export function requireSeen(seen: Seen, current: Date): void {
  if (!isSeen(seen, current)) throw new AppError("precondition.failed", { data: { updatedAt: current.toISOString() } });
}

export function isSeen(seen: Seen, current: Date): boolean {
  return !seen || seen.some((time) => time.getTime() === current.getTime());
}
