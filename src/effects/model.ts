import { readBaseUrl } from "../credentials/base-url.ts";
import { credentialsKinds } from "../credentials/index.ts";
import type { CredentialsData, CredentialsKind } from "../credentials/kind.ts";
import { withoutKeys } from "../credentials/without-keys.ts";
import type { Effect, ModelFailure, Report } from "../interpreter/effect.ts";
import { limits } from "../limits.ts";
import type { EffectContext } from "./effect-context.ts";
import { callModel, type ModelServer, type Try } from "./model-call.ts";

type ModelEffect = Extract<Effect, { kind: "model" }>;
type ModelContext = Pick<EffectContext, "credentials" | "safeStream" | "hops" | "timeLeftMs" | "mayGoOn">;

/** An answer of a language model, with its further tries. A failed call is a report without anything that looks like a key. */
export async function performModel(effect: ModelEffect, context: ModelContext): Promise<Report> {
  const server = await findServer(effect, context);
  if ("failure" in server) return { kind: "model", failure: server.failure };
  const deadline = performance.now() + Math.min(effect.timeoutMs, context.timeLeftMs);
  let isStreamed = true;
  for (let attempt = 0; ; attempt++) {
    const tried = await callModel(effect, server, { ...context, isStreamed, timeoutMs: deadline - performance.now() });
    if (tried.kind === "answered") return { kind: "model", answer: tried.answer };
    if (tried.failure.reason === "unreadable") isStreamed = false;
    const pauseMs = pauseAfter(tried, attempt);
    const isLast = pauseMs === undefined || performance.now() + pauseMs >= deadline;
    if (!isLast) await Bun.sleep(pauseMs);
    if (isLast || context.mayGoOn?.() === false) return { kind: "model", failure: masked(tried.failure, server.keys) };
  }
}

/** How long to wait before the next try; undefined where there is none. */
function pauseAfter(tried: Extract<Try, { kind: "failed" }>, attempt: number): number | undefined {
  const pauseMs = limits.models.pausesMs[attempt];
  if (!tried.isRetryable || pauseMs === undefined) return undefined;
  return Math.min(Math.max(pauseMs, tried.retryAfterMs ?? 0), limits.models.retryAfterMs);
}

/** Where the call goes and with what. A key goes to the origin of its own credentials only. */
async function findServer(
  { credentialsType: type, credentialsId, baseUrl: wanted, apiVersion }: ModelEffect,
  { credentials }: ModelContext,
): Promise<ModelServer | { readonly failure: ModelFailure }> {
  const kind = credentialsKinds.get(type);
  const data = await credentials?.find({ type, credentialsId });
  if (data === undefined || !kind?.provider) return { failure: { reason: "credentials" } };
  if (data === "unreadable") {
    return { failure: { reason: "credentials", details: "No key of this instance opens them: enter them anew" } };
  }
  const address = addressOf(kind, data, wanted);
  if ("problem" in address) return { failure: { reason: "address", details: address.problem } };
  await credentials?.noteUse({ credentialsId });
  return {
    baseUrl: address.baseUrl,
    headers: kind.provider.headers(data),
    ...(apiVersion !== undefined && { apiVersion }),
    keys: kind.secretMembers.flatMap((member) => (typeof data[member] === "string" ? [data[member]] : [])),
  };
}

function addressOf(
  { type, provider, destination }: CredentialsKind,
  data: CredentialsData,
  wanted: string | undefined,
): { readonly baseUrl: string } | { readonly problem: string } {
  if (wanted === undefined) return { baseUrl: provider?.baseUrl(data) ?? "" };
  const read = readBaseUrl(wanted);
  if ("problem" in read) return { problem: `The base URL ${read.problem}` };
  const { origin } = new URL(read.baseUrl);
  if (origin === destination(data)) return read;
  return { problem: `The key goes to ${destination(data)} only: make credentials of type "${type}" for ${origin}` };
}

function masked({ details, ...failure }: ModelFailure, keys: readonly string[]): ModelFailure {
  return details ? { ...failure, details: withoutKeys(details, keys) } : failure;
}
