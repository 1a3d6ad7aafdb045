import type { CredentialsData, CredentialsKind } from "../core/credentials/kind.ts";
import { parseJsonOr } from "../core/interpreter/language/json.ts";
import type { CallFailure, CallReport, CallRequest } from "../core/interpreter/program/call.ts";
import { limits } from "../limits/index.ts";
import type { EffectContext } from "./effect-context.ts";
import { openSheets } from "./google/open-sheets.ts";
import { callService } from "./providers/service-call.ts";

export type AskedService = {
  readonly kind: CredentialsKind;
  readonly credentialsId: string;
  readonly data: CredentialsData;
  /** The total timeout for all requests. */
  readonly timeoutMs: number;
};

type Ways = Pick<EffectContext, "safeFetch" | "hops" | "providers" | "google" | "credentials">;

/**
 * The service's response as JSON, or a sentence that describes the failure. `json` is undefined if the response is not
 * JSON.
 */
export type ServiceAnswer = { readonly json: unknown } | { readonly failure: string };

/**
 * Returns a function that sends requests to a service with the given credentials. All requests together share the
 * timeout.
 */
export async function openService(
  { kind, credentialsId, data, timeoutMs }: AskedService,
  ways: Ways,
): Promise<(request: CallRequest) => Promise<ServiceAnswer>> {
  if (kind.type === "google sheets") return openGoogleSheets({ credentialsId, timeoutMs }, ways);
  const deadline = performance.now() + timeoutMs;
  return async (request) => {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return { failure: sentences.time };
    return answerOf(
      await callService({ kind, data, request, retries: limits.outgoing.retries, timeoutMs: leftMs }, ways),
    );
  };
}

/**
 * Opens a session for Google Sheets. The calls need an access token that must be requested first, so the kind of
 * credentials cannot sign them by itself.
 */
async function openGoogleSheets(wanted: { credentialsId: string; timeoutMs: number }, ways: Ways) {
  const session = await openSheets(wanted, { ...ways, timeLeftMs: wanted.timeoutMs });
  return async ({ path, query = [] }: CallRequest): Promise<ServiceAnswer> => {
    if ("failure" in session) return { failure: sentenceOf(session.failure) };
    const search = new URLSearchParams(query.map(([name, value]) => [name, value]));
    const url = `https://sheets.googleapis.com${path}?${search}`;
    const answer = await session.call({ url, method: "GET", isRepeatable: true });
    if (!("failure" in answer)) return { json: answer.body };
    const { status } = answer.failure;
    const isHidden = status === 403 || status === 404;
    return {
      failure: `${sentenceOf(answer.failure)}${isHidden ? ` Share the spreadsheet with ${session.address}.` : ""}`,
    };
  };
}

function answerOf(report: CallReport): ServiceAnswer {
  if ("failure" in report) return { failure: sentenceOf(report.failure) };
  const { status, text, sentence } = report;
  if (status >= 200 && status < 300) return { json: parseJsonOr(text, undefined) };
  return { failure: sentenceOf({ reason: "status", status, ...(sentence !== undefined && { details: sentence }) }) };
}

const sentences = {
  time: "The service took too long.",
  unreachable: "The service did not respond.",
  busy: "Too many calls are running. Try again in a moment.",
} as const;

function sentenceOf({ reason, status, details }: CallFailure): string {
  if (reason === "time" || reason === "unreachable" || reason === "busy") return sentences[reason];
  const said = details?.replace(/[.\s]+$/, "");
  if (status === undefined) return `The service could not be called: ${said ?? reason}.`;
  return said
    ? `The service responded with status ${status}: ${said}.`
    : `The service responded with status ${status}.`;
}
