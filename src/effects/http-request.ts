import { httpProxy } from "../core/credentials/http-proxy.ts";
import { textIn } from "../core/credentials/kind.ts";
import type { Effect, Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext } from "./effect-context.ts";
import { atProvider, type Providers } from "./providers/provider-urls.ts";
import { withIdempotencyKey } from "./safe-fetch/idempotency-key.ts";
import { type CallResult, withRetries } from "./safe-fetch/retries.ts";
import {
  EndlessCall,
  FailedCall,
  type HttpProxy,
  type OutgoingResponse,
  ProxyRefusal,
  RefusedCall,
} from "./safe-fetch/safe-fetch.ts";
import { type FilledRequest, fillSecrets } from "./secret-values.ts";
import type { StepCredentials } from "./step-credentials.ts";

type HttpEffect = Extract<Effect, { kind: "http" }>;
type HttpContext = Pick<
  EffectContext,
  | "safeFetch"
  | "secrets"
  | "hops"
  | "idempotencyKey"
  | "timeLeftMs"
  | "mayGoOn"
  | "onHeaders"
  | "credentials"
  | "providers"
>;

/** Performs the request of an HTTP block, including retries. A failed request is returned as a report with a status. */
export async function performHttp(effect: HttpEffect, context: HttpContext): Promise<Report> {
  const { timeoutMs, retries } = effect;
  const filled = await fillSecrets(effect, context.secrets);
  if ("refusal" in filled) return refusedReport(filled.refusal);
  const proxy = await findProxy(effect, context);
  if (proxy && "problem" in proxy) return { kind: "http", statusCode: 400, error: { message: proxy.problem } };
  const deadline = performance.now() + Math.min(timeoutMs, context.timeLeftMs);
  const call = (leftMs: number) => send({ ...filled, method: effect.method, proxy }, context, leftMs);
  const result = await withRetries(call, { retries, deadline, mayGoOn: context.mayGoOn });
  if (result instanceof ProxyRefusal && effect.proxyCredentialsId !== undefined) {
    await context.credentials?.noteProblem?.({ credentialsId: effect.proxyCredentialsId, problem: result.message });
  }
  return masked(reportOf(result, timeoutMs), filled.mask);
}

type HttpReport = Extract<Report, { kind: "http" }>;

type HttpSending = FilledRequest & Pick<HttpEffect, "method"> & { readonly proxy: HttpProxy | undefined };

function send(
  { url, method, headers, body, secretHeaders, isBodySecret, mask, proxy }: HttpSending,
  { safeFetch, hops, idempotencyKey, onHeaders }: HttpContext,
  timeoutMs: number,
): Promise<OutgoingResponse> {
  return safeFetch({
    url,
    method,
    headers: withIdempotencyKey({ method, headers }, idempotencyKey),
    ...(body !== undefined && { body }),
    secretHeaders,
    isBodySecret,
    ...(proxy && { proxy }),
    timeoutMs,
    hops,
    ...(onHeaders && { onHeaders: (came) => onHeaders(came.map(([name, value]) => [name, mask(value)])) }),
  });
}

const refusalStart = "Security validation failed: ";

function refusedReport(reason: string): HttpReport {
  return { kind: "http", statusCode: 400, error: { message: `${refusalStart}${reason}` } };
}

/**
 * How a call ended. `refused`: this service refused the call or one of its redirects. `unreachable`: there was no
 * response, or the response was unusable.
 */
export type HttpOutcome = "answered" | "refused" | "unreachable" | "timedOut";

/** Returns how a call ended and, if this service refused the call, the reason. */
export function outcomeOf(report: HttpReport): { readonly outcome: HttpOutcome; readonly reason?: string } {
  if ("text" in report) return { outcome: "answered" };
  if (report.statusCode === 408) return { outcome: "timedOut" };
  if (report.statusCode === 500) return { outcome: "unreachable" };
  const said = report.error["message"] ?? "";
  return { outcome: "refused", reason: said.startsWith(refusalStart) ? said.slice(refusalStart.length) : said };
}

function masked(report: HttpReport, mask: FilledRequest["mask"]): Report {
  if ("text" in report) return { ...report, text: mask(report.text) };
  const error = Object.fromEntries(Object.entries(report.error).map(([name, text]) => [name, mask(text)]));
  return { ...report, error };
}

function reportOf(result: CallResult, timeoutMs: number): HttpReport {
  if (result instanceof EndlessCall) return { kind: "http", statusCode: 508, error: { message: result.message } };
  if (result instanceof RefusedCall) return refusedReport(result.message);
  if (!(result instanceof FailedCall)) return { kind: "http", statusCode: result.status, text: result.text };
  if (result.kind === "timeout") {
    const seconds = Math.round(timeoutMs / 1_000);
    return { kind: "http", statusCode: 408, error: { message: `Request timed out. (${seconds}s)` } };
  }
  return { kind: "http", statusCode: 500, error: { description: `[${result.message}] The request failed` } };
}

/**
 * Returns the proxy of a block's request, or undefined if the block specifies no proxy. Returns a problem if the
 * proxy's credentials are missing or cannot be decrypted. The request is then not sent.
 */
async function findProxy(
  { proxyCredentialsId: credentialsId }: { readonly proxyCredentialsId?: string },
  { credentials, providers }: { readonly credentials?: StepCredentials; readonly providers?: Providers },
): Promise<HttpProxy | { readonly problem: string } | undefined> {
  if (credentialsId === undefined) return undefined;
  const data = await credentials?.find({ type: httpProxy.type, credentialsId });
  if (data === undefined) return { problem: "Could not find the credentials of the proxy" };
  if (data === "unreadable") return { problem: "No key of this instance decrypts the credentials of the proxy" };
  await credentials?.noteUse({ credentialsId });
  return {
    // The operator's setting does not change a proxy's address. It only allows a proxy at a private address.
    ...atProvider(providers?.urls, { name: httpProxy.serverName, url: textIn(data, "url") ?? "", isOwn: false }),
    username: textIn(data, "username"),
    password: textIn(data, "password"),
  };
}
