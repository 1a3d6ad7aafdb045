import type { Effect, Report } from "../core/interpreter/program/effect.ts";
import { limits } from "../limits/index.ts";
import type { EffectContext } from "./effect-context.ts";
import { withIdempotencyKey } from "./safe-fetch/idempotency-key.ts";
import { EndlessCall, FailedCall, RefusedCall } from "./safe-fetch/safe-fetch.ts";
import { fillSecrets } from "./secret-values.ts";

type FetchEffect = Extract<Effect, { kind: "fetch" }>;
type FetchContext = Pick<EffectContext, "safeFetch" | "secrets" | "hops" | "idempotencyKey" | "timeLeftMs">;

/**
 * Performs a fetch for an author's script. The report contains the body as text, regardless of the status, or an error.
 */
export async function performFetch(
  { url, init }: FetchEffect,
  { safeFetch, secrets, hops, idempotencyKey, timeLeftMs }: FetchContext,
): Promise<Report> {
  const { method = "GET", headers = {}, body } = init;
  const request = { url, headers: Object.entries(headers), ...(body !== undefined && { body }) };
  const filled = await fillSecrets(request, secrets);
  if ("refusal" in filled) return failed(`Security validation failed: ${filled.refusal}`);
  const { mask, secretHeaders, isBodySecret } = filled;
  const takesBody = !/^(?:GET|HEAD)$/i.test(method);
  try {
    const { text } = await safeFetch({
      url: filled.url,
      method,
      headers: withIdempotencyKey({ method, headers: filled.headers }, idempotencyKey),
      ...(takesBody && filled.body !== undefined && { body: filled.body }),
      secretHeaders,
      isBodySecret,
      timeoutMs: Math.min(limits.outgoing.scriptFetchMs, timeLeftMs),
      hops,
    });
    return { kind: "fetch", answer: { body: mask(text) } };
  } catch (error) {
    if (error instanceof EndlessCall) return failed(error.message);
    if (error instanceof RefusedCall) return failed(`Security validation failed: ${mask(error.message)}`);
    if (error instanceof FailedCall) return failed(mask(error.message));
    throw error;
  }
}

function failed(error: string): Report {
  return { kind: "fetch", answer: { error } };
}
