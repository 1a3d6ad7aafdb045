import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Returns whether two secrets are equal and not empty. The comparison takes constant time, so its duration reveals
 * nothing about the secrets.
 */
export function isSameSecret(given: string | null, known: string): boolean {
  if (given === null || known === "") return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(known));
}
