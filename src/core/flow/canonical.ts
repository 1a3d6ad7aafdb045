import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { StoredFlow } from "./document.ts";

/**
 * Returns the content address of a flow: the SHA-256 of its canonical JSON (sorted keys, no whitespace). Equal flows
 * have the same address.
 */
export function canonicalHash(flow: StoredFlow): Buffer {
  return createHash("sha256")
    .update(canonicalize(flow) ?? "")
    .digest();
}
