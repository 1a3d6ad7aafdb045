import { createHash, generateKeyPairSync } from "node:crypto";
import { errors, jwtVerify } from "jose";
import type { Answer, Asked } from "../kit.ts";
import { oauthProblem, problem } from "./wire.ts";

/** An OAuth client to which people can grant access to their accounts. */
export const ownClient = { id: "client-1.apps.googleusercontent.com", secret: "GOCSPX-planted-client-secret-7f3a" };

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The address and the key of a service account of this fake. */
export const serviceAccount = {
  clientEmail: "parley@project-1.iam.gserviceaccount.com",
  privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

export const person = { account: "ana@example.com", refreshToken: "1//planted-refresh-token-5c1d" };

export type Grant = { readonly account: string; readonly scope: string; endsAt: number };

type Code = {
  readonly scope: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly isOffline: boolean;
};

/**
 * A person's decision on the consent page. `again`: the person agrees without lasting access. `partly`: the person
 * ticks no box.
 */
export type Act = "agrees" | "declines" | "again" | "partly";

export type Accounts = {
  /** The person's decision on the consent page, which a test may change. */
  act: Act;
  /** Returns the grant of a request's token, or an error response. */
  grantOf(asked: Asked): Grant | Answer;
  answer(asked: Asked): Promise<Answer> | Answer | undefined;
  /** Invalidates every access token before it expires. */
  revokeAccess(): void;
  /** Invalidates all refresh tokens. */
  revokeRefresh(): void;
  given(): number;
};

const tokenEndpoint = "https://oauth2.googleapis.com/token";

/**
 * Creates Google's token endpoint and consent page, based on https://developers.google.com/identity/protocols/oauth2.
 */
export function createAccounts({ now, seconds }: { now: () => number; seconds: number }): Accounts {
  const tokens = new Map<string, Grant>();
  const codes = new Map<string, Code>();
  const refreshTokens = new Map([[person.refreshToken, { account: person.account, scope: allScopes }]]);
  let given = 0;
  let codesMade = 0;

  const give = (account: string, scope: string): { readonly access_token: string; readonly expires_in: number } => {
    const token = `ya29.planted-access-token-${++given}`;
    tokens.set(token, { account, scope, endsAt: now() + seconds * 1_000 });
    return { access_token: token, expires_in: seconds };
  };

  const byAssertion = async (assertion: string): Promise<Answer> => {
    try {
      const { payload } = await jwtVerify(assertion, pair.publicKey, {
        algorithms: ["RS256"],
        audience: tokenEndpoint,
        issuer: serviceAccount.clientEmail,
        currentDate: new Date(now()),
      });
      const { iat = 0, exp = 0 } = payload;
      if (exp - iat > 3_600)
        return oauthProblem(400, "invalid_grant", "Invalid JWT: Token must be a short-lived token");
      const scope = payload["scope"];
      if (typeof scope !== "string" || scope === "")
        return oauthProblem(400, "invalid_scope", "Empty or missing scope not allowed.");
      return { status: 200, json: { ...give(serviceAccount.clientEmail, scope), token_type: "Bearer" } };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return oauthProblem(400, "invalid_grant", "Invalid JWT Signature.");
    }
  };

  const byRefreshToken = (form: URLSearchParams): Answer => {
    if (!isClient(form)) return strangeClient(form);
    const grant = refreshTokens.get(form.get("refresh_token") ?? "");
    if (!grant) return oauthProblem(400, "invalid_grant", "Token has been expired or revoked.");
    return { status: 200, json: { ...give(grant.account, grant.scope), scope: grant.scope, token_type: "Bearer" } };
  };

  const byCode = (form: URLSearchParams): Answer => {
    if (!isClient(form)) return strangeClient(form);
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!code || code.redirectUri !== form.get("redirect_uri") || verifier !== code.challenge) {
      return oauthProblem(400, "invalid_grant", "Bad Request");
    }
    const id = Buffer.from(JSON.stringify({ email: person.account })).toString("base64url");
    const refreshToken = `1//planted-refresh-token-${codesMade}-5c1d`;
    refreshTokens.set(refreshToken, { account: person.account, scope: code.scope });
    return {
      status: 200,
      json: {
        ...give(person.account, code.scope),
        ...(code.isOffline && { refresh_token: refreshToken }),
        scope: code.scope,
        token_type: "Bearer",
        id_token: `e30.${id}.c2ln`,
      },
    };
  };

  /** The consent page redirects immediately, as if the person had pressed a button. */
  const consent = ({ query }: Asked): Answer => {
    const redirectUri = query.get("redirect_uri") ?? "";
    if (query.get("client_id") !== ownClient.id || query.get("response_type") !== "code") {
      return oauthProblem(400, "invalid_request", "Access blocked: authorization error");
    }
    const challenge = query.get("code_challenge") ?? "";
    if (query.get("code_challenge_method") !== "S256" || challenge.length !== 43)
      return oauthProblem(400, "invalid_request", "Code challenge method");
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    if (accounts.act === "declines") back.searchParams.set("error", "access_denied");
    else {
      const code = `4/planted-code-${++codesMade}`;
      const scope = accounts.act === "partly" ? "openid email" : (query.get("scope") ?? "");
      const isOffline = query.get("access_type") === "offline" && accounts.act !== "again";
      codes.set(code, { scope, challenge, redirectUri, isOffline });
      back.searchParams.set("code", code);
    }
    return { status: 302, headers: { location: back.href }, text: "" };
  };

  const accounts: Accounts = {
    act: "agrees",
    grantOf({ headers }) {
      const [, token = ""] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
      const grant = tokens.get(token);
      if (grant && grant.endsAt > now()) return grant;
      const message = "Request had invalid authentication credentials. Expected OAuth 2 access token.";
      return problem(401, "UNAUTHENTICATED", message);
    },
    answer(asked) {
      const { path, method, text } = asked;
      if (path === "/o/oauth2/v2/auth" && method === "GET") return consent(asked);
      if (path !== "/token" || method !== "POST") return undefined;
      const form = new URLSearchParams(text);
      switch (form.get("grant_type")) {
        case "urn:ietf:params:oauth:grant-type:jwt-bearer":
          return byAssertion(form.get("assertion") ?? "");
        case "refresh_token":
          return byRefreshToken(form);
        case "authorization_code":
          return byCode(form);
        default:
          return oauthProblem(400, "unsupported_grant_type", "Invalid grant_type");
      }
    },
    revokeAccess: () => tokens.clear(),
    revokeRefresh: () => refreshTokens.clear(),
    given: () => given,
  };
  return accounts;
}

const allScopes = [
  "https://www.googleapis.com/auth/spreadsheets",
  "https://www.googleapis.com/auth/gmail.send",
  "https://www.googleapis.com/auth/gmail.modify",
].join(" ");

/** Returns an error that quotes the client's secret, a mistake that some servers make. */
function strangeClient(form: URLSearchParams): Answer {
  return oauthProblem(401, "invalid_client", `The client secret ${form.get("client_secret")} is wrong.`);
}

function isClient(form: URLSearchParams): boolean {
  return form.get("client_id") === ownClient.id && form.get("client_secret") === ownClient.secret;
}
