import type { CredentialsData, CredentialsKind, Service, Signature } from "../../core/credentials/kind.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import type { CallFailure, CallReport, CallRequest } from "../../core/interpreter/program/call.ts";
import type { Hops } from "../safe-fetch/hops.ts";
import { type CallResult, withRetries } from "../safe-fetch/retries.ts";
import { FailedCall, type OutgoingResponse, RefusedCall, type SafeFetch } from "../safe-fetch/safe-fetch.ts";
import { BusyCall } from "../safe-fetch/safe-fetch-exchange.ts";
import { createMask } from "../secret-values.ts";
import { atProvider, type Providers, type ProviderUrls } from "./provider-urls.ts";
import { sentenceIn } from "./sentences.ts";

export type ServiceCall = {
  readonly kind: CredentialsKind;
  readonly data: CredentialsData;
  readonly request: CallRequest;
  readonly retries: number;
  readonly timeoutMs: number;
  /** The value of the `Idempotency-Key` header. */
  readonly key?: string;
};

type Ways = {
  readonly safeFetch: SafeFetch;
  readonly hops: Hops;
  readonly providers?: Providers;
  /** Returns false after the step's claim was lost. No further request may then be sent. */
  readonly mayGoOn?: () => boolean;
};

/**
 * Calls a service with the given credentials and counts the call. Redirects are not followed, so that the key is sent
 * only to the service's own origin. Secrets of at least eight characters are removed from the report.
 */
export async function callService(
  call: ServiceCall,
  { safeFetch, hops, providers, mayGoOn }: Ways,
): Promise<CallReport> {
  const { kind, data, timeoutMs, retries } = call;
  const startedAt = performance.now();
  const signed = signedRequest(call, providers?.urls);
  const headers: Record<string, string> = {};
  const made =
    "failure" in signed
      ? signed.failure
      : await withRetries((leftMs) => send(signed, { safeFetch, hops, headers, timeoutMs: leftMs }), {
          retries,
          mayGoOn,
          deadline: startedAt + timeoutMs,
        });
  const report = reportOf(made, { keys: keysOf(kind, data), answerHeaders: kind.service?.answerHeaders, headers });
  const seconds = (performance.now() - startedAt) / 1_000;
  providers?.metrics.ended(kind.type, { ended: endingOf(report), seconds });
  return report;
}

/** Returns values that must never appear in a report. */
export function keysOf({ secretMembers }: CredentialsKind, data: CredentialsData): readonly string[] {
  return secretMembers.flatMap((member) => (typeof data[member] === "string" ? [data[member]] : []));
}

type Signed = Pick<Parameters<SafeFetch>[0], "url" | "trusted" | "method" | "headers"> & { readonly body?: string };

function signedRequest(
  { kind: { service }, data, request, key }: ServiceCall,
  urls: ProviderUrls | undefined,
): Signed | { readonly failure: CallFailure } {
  if (!service) return { failure: { reason: "credentials" } };
  const { headers = [], query = [], body }: Signature = service.sign(data);
  const url = service.addressOf
    ? service.addressOf(data, request.query ?? [])
    : addressOf(service, data, { ...request, query: [...(request.query ?? []), ...query] });
  if (url === undefined)
    return { failure: { reason: "address", details: "The path leads outside the service's base URL" } };
  const sent = body === undefined ? request.body : { ...Object(request.body), ...body };
  return {
    ...atProvider(urls, { name: service.name, url: url.href, isOwn: url.origin === originOf(service.ownUrl) }),
    method: request.method,
    headers: [
      ...(request.headers ?? []),
      ...headers,
      ...(sent === undefined ? [] : ([["Content-Type", "application/json"]] as const)),
      ...(key === undefined ? [] : ([["Idempotency-Key", key]] as const)),
    ],
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  };
}

/** Returns the full URL, or undefined if the path leaves the service's base URL, for example with `..`. */
function addressOf(service: Service, data: CredentialsData, { path, query = [] }: CallRequest): URL | undefined {
  const base = URL.parse(service.baseUrl(data));
  const url = base && URL.parse(`${base.href.replace(/\/+$/, "")}${path}`);
  if (!url || !path.startsWith("/") || url.origin !== base.origin) return undefined;
  if (url.pathname !== `${base.pathname.replace(/\/+$/, "")}${path}`) return undefined;
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.origin;
}

function send(
  signed: Signed,
  { headers, ...way }: Pick<Ways, "safeFetch" | "hops"> & { headers: Record<string, string>; timeoutMs: number },
): Promise<OutgoingResponse> {
  const { safeFetch, hops, timeoutMs } = way;
  return safeFetch({
    ...signed,
    ...{ hops, timeoutMs, redirect: "manual" },
    onHeaders(came) {
      for (const [name, value] of came) headers[name.toLowerCase()] = value;
    },
  });
}

type Seen = {
  readonly keys: readonly string[];
  readonly answerHeaders: readonly string[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

function reportOf(made: CallResult | CallFailure, { keys, answerHeaders = [], headers }: Seen): CallReport {
  if ("reason" in made) return { kind: "call", failure: made };
  if (made instanceof RefusedCall || made instanceof FailedCall) {
    const reason = reasonOf(made);
    return {
      kind: "call",
      failure: { reason, ...(reason !== "time" && { details: withoutKeys(made.message, keys) }) },
    };
  }
  const { status, text } = made;
  const mask = createMask(keys);
  const kept = answerHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, mask(headers[name])]]));
  const isSuccess = status >= 200 && status < 300;
  const sentence = isSuccess ? "" : withoutKeys(sentenceOfStatus(status, text), keys);
  return {
    ...{ kind: "call", status, text: mask(text) },
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    ...(sentence !== "" && { sentence }),
  };
}

function sentenceOfStatus(status: number, text: string): string {
  return status >= 300 && status < 400
    ? "it redirects to another address, and a key must not follow a redirect"
    : sentenceIn(text);
}

function reasonOf(error: FailedCall | RefusedCall): CallFailure["reason"] {
  if (error instanceof RefusedCall) return "address";
  if (error instanceof BusyCall) return "busy";
  if (error.kind === "timeout") return "time";
  return error.kind === "answer" ? "unreadable" : "unreachable";
}

function endingOf(report: CallReport): string {
  return "failure" in report ? report.failure.reason : `${Math.trunc(report.status / 100)}xx`;
}
