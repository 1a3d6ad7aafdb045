import type { ModelFailure } from "../../core/interpreter/program/model.ts";
import { limits } from "../../limits/index.ts";
import type { EffectContext } from "../effect-context.ts";
import type { CallWatch } from "../model-use.ts";
import { fetchForLibraries } from "../safe-fetch/fetch-for-libraries.ts";
import type { Trusted } from "../safe-fetch/safe-fetch.ts";
import { type FailedTry, failedAnswer, failedTry, pauseAfter } from "./model-failures.ts";
import { findServer, noted, type ServerWanted } from "./model-server.ts";

export type MediaContext = Pick<
  EffectContext,
  | "credentials"
  | "providers"
  | "models"
  | "files"
  | "safeStream"
  | "hops"
  | "idempotencyKey"
  | "timeLeftMs"
  | "mayGoOn"
  | "extraModelCalls"
> & { readonly watch?: CallWatch };

/** A request to a path below a provider's base URL, and the maximum size of its answer. */
type MediaRequest = {
  readonly path: string;
  readonly body: FormData | string;
  readonly maxBytes: number;
  /** Whether services without language models are allowed. */
  readonly takesService?: boolean;
};

/**
 * Calls a provider to create or transcribe a recording, with the same retries as for models. Returns the bytes of the
 * response, or the failure.
 */
export async function callMedia(
  effect: ServerWanted & { readonly timeoutMs: number },
  request: MediaRequest,
  context: MediaContext,
): Promise<Uint8Array | { readonly failure: ModelFailure }> {
  const server = await findServer(effect, context, request);
  if ("failure" in server) return server;
  const deadline = performance.now() + Math.min(effect.timeoutMs, context.timeLeftMs);
  const url = new URL(`${server.baseUrl}${request.path}`);
  if (server.apiVersion !== undefined) url.searchParams.set("api-version", server.apiVersion);
  for (let attempt = 0; ; attempt++) {
    context.watch?.tried(server.keys);
    const tried = await send(url, request, {
      ...context,
      ...{ headers: server.headers, trusted: server.trusted ?? "models" },
      timeoutMs: deadline - performance.now(),
    });
    if (tried instanceof Uint8Array) return tried;
    const pauseMs = pauseAfter(tried, attempt);
    const isLast = pauseMs === undefined || performance.now() + pauseMs >= deadline;
    if (!isLast) await Bun.sleep(pauseMs);
    const mayGoOn = context.mayGoOn?.() !== false && (context.extraModelCalls?.left ?? 1) > 0;
    if (isLast || !mayGoOn) {
      const { credentialsId } = effect;
      return { failure: await noted(tried.failure, { ...context, credentialsId, server }) };
    }
    if (context.extraModelCalls) context.extraModelCalls.left--;
  }
}

async function send(
  url: URL,
  { body, maxBytes }: MediaRequest,
  {
    safeStream,
    hops,
    idempotencyKey,
    headers,
    timeoutMs,
    trusted,
  }: Pick<EffectContext, "safeStream" | "hops" | "idempotencyKey"> & {
    headers: readonly (readonly [string, string])[];
    timeoutMs: number;
    trusted: Trusted;
  },
): Promise<Uint8Array | FailedTry> {
  const call = fetchForLibraries(safeStream, {
    firstByteMs: Math.min(limits.models.firstByteMs, timeoutMs),
    silenceMs: Math.min(limits.models.silenceMs, timeoutMs),
    timeoutMs,
    hops,
    idempotencyKey,
    trusted,
    keepsConnection: true,
    maxSentBytes: limits.models.requestBytes,
    maxBytes,
  });
  try {
    const type = typeof body === "string" ? [["Content-Type", "application/json"]] : [];
    const response = await call(url, {
      method: "POST",
      headers: [...headers, ...type].map(([n = "", v = ""]) => [n, v]),
      body,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.ok) return bytes;
    return failedAnswer({
      statusCode: response.status,
      responseBody: new TextDecoder().decode(bytes),
      responseHeaders: Object.fromEntries(response.headers),
    });
  } catch (error) {
    return failedTry(error);
  }
}
