import { createHash } from "node:crypto";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { CallFailure } from "../../core/interpreter/program/call.ts";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { FailedCall, RefusedCall } from "../safe-fetch/safe-fetch.ts";
import { type GoogleAccount, keysOf } from "./google-account.ts";
import type { GoogleSend } from "./google-origins.ts";

/**
 * The access tokens of Google accounts, cached in this process only. The states of a token are:
 *
 *     (none) ─ a caller needs the token ─────────────────────────→ requested; other callers wait for the same answer
 *     requested ─ Google returns the token ──────────────────────→ cached
 *     requested ─ Google rejects the request or sends no answer ─→ (none); all waiting callers get the failure
 *     requested ─ the requesting step lost its claim ────────────→ (none); the next waiting caller requests the token
 *     cached ─ a minute before the token expires ────────────────→ (none)
 *     cached ─ a service rejects the token ──────────────────────→ (none)
 */
export type AccessTokens = {
  /** Returns a token or the failure. A cached token is returned only if it is valid for at least another minute. */
  get(wanted: TokenWanted, send: GoogleSend): Promise<{ readonly token: string } | TokenFailure>;
  /** Must be called when a service has rejected a token, so that the next call requests a new token. */
  refuse(wanted: TokenWanted, token: string): void;
};

export type TokenWanted = { readonly account: GoogleAccount; readonly scope: string };

/**
 * The reason why there is no token. `credentials`: the account's key or refresh token is unusable, and a retry would
 * not help.
 */
export type TokenFailure = CallFailure & { readonly reason: "credentials" | "status" | "unreachable" | "time" };

type Kept = { readonly token: string; readonly endsAt: number };

const earlyMs = 60_000;
/** The maximum number of cached tokens. A full cache is emptied, and tokens are requested again, which is harmless. */
const maxKept = 10_000;

export function createAccessTokens({ clock }: { clock: Clock }): AccessTokens {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Kept | TokenFailure>>();

  const ask = async (key: string, wanted: TokenWanted, send: GoogleSend): Promise<Kept | TokenFailure> => {
    const beganAt = clock.now();
    const answer = await askForToken(wanted, send);
    if ("reason" in answer) return answer;
    const one = { token: answer.token, endsAt: beganAt + answer.seconds * 1_000 - earlyMs };
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, one);
    return one;
  };

  return {
    async get(wanted, send) {
      const key = keyOf(wanted);
      for (;;) {
        const found = kept.get(key);
        if (found && found.endsAt > clock.now()) return { token: found.token };
        const joined = underWay.get(key);
        if (!joined) break;
        // If the requesting step loses its claim and throws, a waiting caller makes its own request, because the
        // account itself has not failed.
        const answer = await joined.catch(() => undefined);
        if (answer) return "token" in answer ? { token: answer.token } : answer;
      }
      const asking = ask(key, wanted, send).finally(() => underWay.delete(key));
      underWay.set(key, asking);
      const answer = await asking;
      return "token" in answer ? { token: answer.token } : answer;
    },
    refuse(wanted, token) {
      const key = keyOf(wanted);
      if (kept.get(key)?.token === token) kept.delete(key);
    },
  };
}

/** Returns the cache key of a token, which changes when the credentials change. */
function keyOf({ account, scope }: TokenWanted): string {
  return createHash("sha256")
    .update(JSON.stringify([account, scope]))
    .digest("base64");
}

const tokenEndpoint = "https://oauth2.googleapis.com/token";

async function askForToken(
  { account, scope }: TokenWanted,
  send: GoogleSend,
): Promise<{ readonly token: string; readonly seconds: number } | TokenFailure> {
  const form = await formOf(account, scope);
  if (form === undefined) return { reason: "credentials", details: "The private key cannot be read" };
  const mask = (text: string): string =>
    withoutKeys(text, [...keysOf(account), ...form.values()]).slice(0, limits.credentials.sentenceCharacters);
  try {
    const { status, text } = await send({
      url: tokenEndpoint,
      method: "POST",
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
      body: form.toString(),
    });
    const answer = parseJsonOr(text, undefined);
    const token = textAt(answer, "access_token");
    if (status === 200 && token !== undefined) {
      const seconds = Number(valueAt(answer, "expires_in"));
      return { token, seconds: Number.isFinite(seconds) ? seconds : 0 };
    }
    const problem = isJsonObject(answer) ? [textAt(answer, "error"), textAt(answer, "error_description")] : [];
    const said = problem.filter((part) => part !== undefined).join(": ");
    const details = mask(said || `Google's token endpoint responded with status ${status}`);
    // A rejected client or grant remains rejected. All other failures may be temporary.
    return { reason: status === 400 || status === 401 ? "credentials" : "status", status, details };
  } catch (error) {
    if (!(error instanceof FailedCall || error instanceof RefusedCall)) throw error;
    const isLate = error instanceof FailedCall && error.kind === "timeout";
    return { reason: isLate ? "time" : "unreachable", details: mask(error.message) };
  }
}

async function formOf(account: GoogleAccount, scope: string): Promise<URLSearchParams | undefined> {
  if (account.kind === "person") {
    const { refreshToken, client } = account;
    return new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: client.id,
      client_secret: client.secret,
    });
  }
  const assertion = await assertionOf(account, scope);
  if (assertion === undefined) return undefined;
  return new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
}

/** Returns an assertion that is signed with the service account's key, or undefined if the key is not readable. */
async function assertionOf(
  { clientEmail, privateKey }: Extract<GoogleAccount, { kind: "service" }>,
  scope: string,
): Promise<string | undefined> {
  const { importPKCS8, SignJWT } = await import("jose");
  const key = await importPKCS8(privateKey, "RS256").catch(() => undefined);
  if (!key) return undefined;
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(clientEmail)
    .setAudience(tokenEndpoint)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(key);
}
