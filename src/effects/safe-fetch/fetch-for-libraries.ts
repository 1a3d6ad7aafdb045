import { createHash } from "node:crypto";
import { FailedCall } from "./safe-fetch-exchange.ts";
import type { SafeStream, StreamRequest } from "./safe-fetch-stream.ts";

type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/**
 * Wraps outgoing calls as `fetch` for libraries. Bodies are texts, bytes, or forms with files. The wrapper throws a
 * RefusedCall or a FailedCall, which libraries store as the `cause` of their own errors.
 */
export function fetchForLibraries(
  safeStream: SafeStream,
  {
    idempotencyKey,
    ...options
  }: Omit<StreamRequest, "url" | "method" | "headers" | "body" | "signal"> & {
    /** The idempotency key of the effect that makes the calls. The key of each call is derived from it. */
    readonly idempotencyKey?: string;
  },
): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    // Bun generates the content type of a form when the header is read, but not after the body was read.
    const type = request.headers.get("content-type");
    const sent = new Map([...request.headers, ...(type === null ? [] : [["content-type", type] as const])]);
    const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    if (idempotencyKey !== undefined && bytes) sent.set("idempotency-key", keyOfCall(idempotencyKey, { type, bytes }));
    const { status, headers, body } = await safeStream({
      ...options,
      url: request.url,
      method: request.method,
      headers: [...sent],
      ...(bytes && { body: bytes }),
      signal: request.signal,
    });
    if (status < 200 || status > 599) throw new FailedCall("answer", `The server responded with status ${status}`);
    const hasBody = status !== 204 && status !== 205;
    if (!hasBody) await body.cancel();
    return new Response(hasBody ? body : null, { status, headers: [...headers] });
  };
}

/**
 * Returns the idempotency key. The key is the same if a call is repeated, either as a retry or by another node after a
 * crash. A changed request (another model, without a picture, shortened) has another key, because providers reject a
 * known key with a different request.
 */
function keyOfCall(effectKey: string, { type, bytes }: { type: string | null; bytes: Uint8Array }): string {
  // Each call has a new form boundary, so the body of a form cannot be part of the key. Requests with forms have no
  // variants.
  if (type?.startsWith("multipart/")) return effectKey;
  return createHash("sha256").update(effectKey).update(bytes).digest("hex").slice(0, 32);
}
