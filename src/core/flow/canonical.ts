import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { StoredFlow } from "./document.ts";

/**
 * The address of a flow: the SHA-256 of its canonical JSON (sorted keys, no blanks), so that equal flows have one
 * address.
 */
export function canonicalHash(flow: StoredFlow): Buffer {
  return createHash("sha256")
    .update(canonicalize(flow) ?? "")
    .digest();
}
