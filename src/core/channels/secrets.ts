import { createHash, timingSafeEqual } from "node:crypto";

/** Whether two secrets are equal, in a time that reveals nothing about either. */
export function isSameSecret(given: string | null, known: string): boolean {
  if (given === null || known === "") return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(known));
}
