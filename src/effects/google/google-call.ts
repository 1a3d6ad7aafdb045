import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { parseUntrustedJson } from "../../core/interpreter/language/untrusted-json.ts";
import { limits } from "../../limits/index.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import type { Providers } from "../providers/provider-urls.ts";
import type { Hops } from "../safe-fetch/hops.ts";
import { isPassingStatus } from "../safe-fetch/retries.ts";
import { FailedCall, type OutgoingResponse, RefusedCall, type SafeFetch } from "../safe-fetch/safe-fetch.ts";
import type { StepCredentials } from "../step-credentials.ts";
import type { Google } from "./google.ts";
import { accountOf, addressOf, type GoogleAccount, keysOf } from "./google-account.ts";
import { createGoogleSend, type GoogleSend } from "./google-origins.ts";
import type { AccountRequest, GoogleFailure, GoogleSession } from "./google-session.ts";

/** The context of a step or job for its calls to Google. */
export type GoogleContext = {
  readonly google: Google;
  readonly safeFetch: SafeFetch;
  readonly hops: Hops;
  /** If absent, calls use Google's own addresses and are not counted. */
  readonly providers?: Providers;
  readonly credentials?: StepCredentials;
  readonly timeLeftMs: number;
  readonly mayGoOn?: () => boolean;
};

type Wanted = {
  readonly type: "google sheets" | "gmail";
  readonly credentialsId: string;
  readonly scope: string;
  readonly timeoutMs: number;
};

/** Opens the credentials without sending a request. Returns the failure if the credentials are unusable. */
export async function openGoogle(
  { type, credentialsId, scope, timeoutMs }: Wanted,
  context: GoogleContext,
): Promise<GoogleSession | { readonly failure: GoogleFailure }> {
  const { google, credentials, safeFetch, hops, providers } = context;
  const data = await credentials?.find({ type, credentialsId });
  if (data === undefined) return { failure: { reason: "credentials" } };
  if (data === "unreadable") {
    return {
      failure: { reason: "credentials", details: "No key of this instance decrypts the credentials: enter them again" },
    };
  }
  const account = accountOf(data, google.client);
  if (!account)
    return { failure: { reason: "credentials", details: "The credentials have no connected Google account" } };
  const deadline = google.clock.now() + Math.min(timeoutMs, context.timeLeftMs);
  const timeLeftMs = (): number => deadline - google.clock.now();
  const send = createGoogleSend({ safeFetch, hops, providers, timeLeftMs });
  await credentials?.noteUse({ credentialsId });
  const parts = { account, scope, credentialsId, send, timeLeftMs, context };
  return {
    address: addressOf(account),
    hasTimeFor: (ms) => timeLeftMs() > ms && context.mayGoOn?.() !== false,
    async call(request) {
      const begun = google.clock.now();
      const answer = await callWithRetries(request, parts);
      const failure = "failure" in answer ? answer.failure : undefined;
      const seconds = (google.clock.now() - begun) / 1_000;
      providers?.metrics.ended(type, { ended: endingOf(failure), seconds });
      if (failure?.reason === "credentials") {
        await credentials?.noteProblem?.({
          credentialsId,
          problem: failure.details ?? "Google rejects the credentials",
        });
      }
      return answer;
    },
  };
}

function endingOf(failure: GoogleFailure | undefined): string {
  if (!failure) return "2xx";
  return failure.status === undefined ? failure.reason : `${Math.floor(failure.status / 100)}xx`;
}

type Parts = {
  readonly account: GoogleAccount;
  readonly scope: string;
  readonly credentialsId: string;
  readonly send: GoogleSend;
  timeLeftMs(): number;
  readonly context: GoogleContext;
};

type Answer = { readonly body: unknown } | { readonly failure: GoogleFailure };

/** The back-off that Google recommends: one second at first, doubled up to half a minute, plus a random part. */
const firstPauseMs = 1_000;
const longestPauseMs = 32_000;

/** Returns the pause after a failed attempt. The first attempt has the number 1. */
export function pauseAfter(attempt: number): number {
  return Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs) + Math.random() * firstPauseMs;
}

async function callWithRetries(request: AccountRequest, parts: Parts): Promise<Answer> {
  const { timeLeftMs, context } = parts;
  for (let attempt = 1; ; attempt++) {
    const answer = await callWithToken(request, parts);
    if (!("failure" in answer) || !isPassing(answer.failure, { request, attempt })) return answer;
    const pauseMs = pauseAfter(attempt);
    if (pauseMs >= timeLeftMs()) return answer;
    await pause(context.google.clock, pauseMs);
    if (context.mayGoOn?.() === false) return answer;
  }
}

/**
 * Whether the request is sent again. A request with an unknown outcome is sent again only if it is repeatable. A
 * request that was rejected because of a quota had no effect.
 */
function isPassing(
  { reason, status = 0, isDoubtful }: GoogleFailure,
  { request, attempt }: { request: AccountRequest; attempt: number },
): boolean {
  if (isDoubtful && !request.isRepeatable) return false;
  // Google's quotas may be exhausted for up to a minute.
  if (status === 429 || status === 503) return true;
  return (reason === "unreachable" || isPassingStatus(status)) && attempt <= limits.outgoing.retries;
}

/** Calls Google with the cached token. If the token is rejected, the call is repeated once with a new token. */
async function callWithToken(request: AccountRequest, parts: Parts): Promise<Answer> {
  const first = await callOnce(request, parts);
  return "refused" in first ? withoutToken(await callOnce(request, parts)) : first;
}

type Refused = { readonly refused: GoogleFailure };

function withoutToken(answer: Answer | Refused): Answer {
  return "refused" in answer ? { failure: answer.refused } : answer;
}

async function callOnce(request: AccountRequest, parts: Parts): Promise<Answer | Refused> {
  const { account, scope, credentialsId, send, timeLeftMs, context } = parts;
  const { tokens, calls } = context.google;
  const wanted = { account, scope };
  const got = await tokens.get(wanted, send);
  if ("reason" in got) return { failure: got };
  const mask = (text: string): string => withoutKeys(text, [...keysOf(account), got.token]);
  try {
    const response = await calls.run(credentialsId, async () => {
      if (timeLeftMs() <= 0) throw new FailedCall("timeout", "There was no time left for this call");
      return await send({
        url: request.url,
        method: request.method,
        headers: [
          ["Authorization", `Bearer ${got.token}`],
          ...(request.body === undefined ? [] : [["Content-Type", "application/json"] as const]),
        ],
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      });
    });
    const answer = answerOf(response, mask);
    if (response.status !== 401 || !("failure" in answer)) return answer;
    tokens.refuse(wanted, got.token);
    return { refused: answer.failure };
  } catch (error) {
    if (error instanceof RefusedCall) return { failure: { reason: "address", details: mask(error.message) } };
    if (error instanceof FailedCall) return { failure: failureOf(error, mask) };
    throw error;
  }
}

function failureOf(error: FailedCall, mask: (text: string) => string): GoogleFailure {
  const reason = error.kind === "timeout" ? "time" : error.kind === "answer" ? "unreadable" : "unreachable";
  return { reason, details: mask(error.message), isDoubtful: true };
}

function answerOf({ status, text }: OutgoingResponse, mask: (text: string) => string): Answer {
  const body = parseUntrustedJson(text)?.value;
  if (status >= 200 && status < 300) {
    if (typeof body === "object" && body !== null) return { body };
    return { failure: { reason: "unreadable", status, details: "Google's response is not JSON", isDoubtful: true } };
  }
  const said = textAt(valueAt(body, "error"), "message") ?? `Google responded with status ${status}`;
  const details = mask(said).slice(0, limits.credentials.sentenceCharacters);
  // A rejected key is rejected for every request.
  const reason = status === 401 ? "credentials" : "status";
  return { failure: { reason, status, details, ...(status >= 500 && { isDoubtful: true }) } };
}
