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
 * Access tokens of Google accounts, only in this process. A token is
 *
 *     (none) ─ somebody needs it ─────────────────────→ asked for; others wait for the same answer
 *     asked for ─ Google gives it ────────────────────→ kept
 *     asked for ─ Google refuses, or no answer comes ─→ (none), and all who waited get that failure
 *     asked for ─ who asked may not continue ─────────→ (none), and the next who waited asks
 *     kept ─ a minute before its end ─────────────────→ (none)
 *     kept ─ a service refused it ────────────────────→ (none)
 */
export type AccessTokens = {
  /** A token that is valid for at least a minute. */
  get(wanted: TokenWanted, send: GoogleSend): Promise<{ readonly token: string } | TokenFailure>;
  /** A service refused this token: the next call asks for another. */
  refuse(wanted: TokenWanted, token: string): void;
};

export type TokenWanted = { readonly account: GoogleAccount; readonly scope: string };

/** `credentials`: Google refuses the account's key or refresh token, and will refuse it again. */
export type TokenFailure = CallFailure & { readonly reason: "credentials" | "status" | "unreachable" | "time" };

type Kept = { readonly token: string; readonly endsAt: number };

const earlyMs = 60_000;
/** A process with more accounts than this asks for some of their tokens again, which does no harm. */
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
        // A waiting caller continues when the asking step loses its claim and throws: that is not a failure of the
        // account.
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

/** Changed credentials have another key. */
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
    const details = mask(said || `Google's token endpoint answered ${status}`);
    // A refused client or grant will be refused again; any other failure may pass.
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

/** A service account proves that it has its key. Undefined if the key cannot be read. */
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
