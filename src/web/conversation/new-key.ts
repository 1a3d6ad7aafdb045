/**
 * A new idempotency key. Browsers have `crypto.randomUUID` only on pages with https and on this machine; services in a local network have none, and
 * frames in pages without https do not either.
 */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
