import type { Effect, Report } from "../interpreter/effect.ts";
import { limits } from "../limits.ts";
import type { EffectContext } from "./effect-context.ts";
import { EndlessCall, FailedCall, RefusedCall } from "./safe-fetch.ts";

type FetchEffect = Extract<Effect, { kind: "fetch" }>;

/** The call of an author's script, which gets the body as text, whatever the status. */
export async function performFetch(
  { url, init }: FetchEffect,
  { safeFetch, hops, timeLeftMs }: Pick<EffectContext, "safeFetch" | "hops" | "timeLeftMs">,
): Promise<Report> {
  const { method = "GET", headers = {}, body } = init;
  const takesBody = !/^(?:GET|HEAD)$/i.test(method);
  try {
    const { text } = await safeFetch({
      url,
      method,
      headers: Object.entries(headers),
      ...(takesBody && body !== undefined && { body }),
      timeoutMs: Math.min(limits.outgoing.scriptFetchMs, timeLeftMs),
      hops,
    });
    return { kind: "fetch", answer: { body: text } };
  } catch (error) {
    if (error instanceof EndlessCall) return failed(error.message);
    if (error instanceof RefusedCall) return failed(`Security validation failed: ${error.message}`);
    if (error instanceof FailedCall) return failed(error.message);
    throw error;
  }
}

function failed(error: string): Report {
  return { kind: "fetch", answer: { error } };
}
