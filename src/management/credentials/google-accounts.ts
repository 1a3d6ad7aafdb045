import { createHash, randomBytes } from "node:crypto";
import { googleServer } from "../../core/credentials/google.ts";
import { textIn } from "../../core/credentials/kind.ts";
import { textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { askToken } from "../../effects/google/ask-token.ts";
import type { GoogleClient } from "../../effects/google/google-account.ts";
import { atProvider } from "../../effects/providers/provider-urls.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { oauthPlace } from "../../platform/secrets.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import { type AskedAt, appAddress } from "../access/app-address.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { type CredentialsView, createCredentials, openCredentials, updateCredentials } from "./credentials.ts";
import { keepState, takeState } from "./oauth-states.sql.ts";

/**
 * Connects a Google account with OAuth 2 and PKCE. The `state` parameter has these states:
 *
 *     (none) ─ authorize ─────────────────────────────────────→ stored, for ten minutes
 *     stored ─ finish by the same user in the same workspace ─→ deleted, regardless of the response of Google
 *     stored ─ ten minutes have passed ───────────────────────→ deleted
 *     stored ─ the user has 20 newer states ──────────────────→ deleted
 *     stored ─ finish by another user or workspace ───────────→ stored
 */

export const googleTypes = ["google sheets", "gmail"] as const;
type GoogleType = (typeof googleTypes)[number];

export type Connecting = {
  readonly for: GoogleType;
  readonly name: string;
  readonly credentialsId?: string | undefined;
  /** Whether mails get labels, which requires more permissions. */
  readonly hasLabels?: boolean | undefined;
};

/** The parameters with which Google redirects the person back. */
export type CameBack = {
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
};

/** The data that `authorizeGoogle` stores for `finishGoogle`. */
type Begun = Pick<Connecting, "for" | "name"> & {
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
};

/**
 * Returns the address of Google's consent page. Throws `oauth.no_client` if there is no OAuth client, and
 * `oauth.no_builder` if the builder's address is unknown.
 */
export async function authorizeGoogle(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { asked, ...wanted }: Connecting & { readonly asked: AskedAt },
): Promise<string> {
  const { credentialsId = null } = wanted;
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  const { client, account } = await clientFor(deps, caller, { ...wanted, workspaceId, credentialsId });
  const app = appAddress(deps, asked);
  if (app === null) throw new AppError("oauth.no_builder");
  const scopes = scopesOf(wanted);
  // The page to which Google redirects reads the workspace from the state.
  const state = `${workspaceId}.${randomBytes(32).toString("base64url")}`;
  const begun: Begun = {
    ...{ for: wanted.for, name: wanted.name, scopes },
    verifier: randomBytes(32).toString("base64url"),
    redirectUri: `${app}/oauth/google`,
  };
  const hash = sha256(state);
  const sealed = await deps.secrets.seal(JSON.stringify(begun), oauthPlace(hash));
  const { userId } = caller;
  await keepState(
    deps.sql,
    { hash, workspaceId, userId, credentialsId, sealed },
    {
      seconds: limits.credentials.connectSeconds,
      most: limits.credentials.connectsPerUser,
    },
  );
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: begun.redirectUri,
    response_type: "code",
    scope: ["openid", "email", ...scopes].join(" "),
    state,
    code_challenge: sha256(begun.verifier).toString("base64url"),
    code_challenge_method: "S256",
    access_type: "offline",
    prompt: "consent",
    ...(account !== undefined && { login_hint: account }),
  });
  return atProvider(deps.providers.urls, {
    name: googleServer,
    url: `https://accounts.google.com/o/oauth2/v2/auth?${query}`,
  }).url;
}

/**
 * Stores the account of a person whom Google redirected back, in new credentials or in the credentials that were given
 * to `authorizeGoogle`. Throws `oauth.state_invalid` for an unknown or expired state, `oauth.refused` if the person or
 * Google refused the access, and `credentials.provider_failed` if Google did not respond.
 */
export async function finishGoogle(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { state, code, error }: CameBack,
): Promise<CredentialsView> {
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  const hash = sha256(state);
  const taken = await takeState(
    deps.sql,
    { hash, workspaceId, userId: caller.userId },
    { seconds: limits.credentials.connectSeconds },
  );
  const text = taken && (await deps.secrets.open(taken.sealed, oauthPlace(hash)));
  if (!taken || text === undefined) throw new AppError("oauth.state_invalid");
  const begun: Begun = JSON.parse(text);
  if (code === undefined) throw new AppError("oauth.refused", { message: sentenceOf(error) });
  const { credentialsId } = taken;
  const { client } = await clientFor(deps, caller, { ...begun, workspaceId, credentialsId });
  // Releases the slot at the database, because Google may respond slowly.
  caller.place.end();
  const data = await exchange(deps, { workspaceId, client, code, begun });
  if (credentialsId !== null) return updateCredentials(deps, caller, { workspaceId, credentialsId }, { data });
  return createCredentials(deps, caller, workspaceId, { type: begun.for, name: begun.name, data });
}

type ClientPlace = { readonly workspaceId: string; readonly credentialsId: string | null; readonly for: GoogleType };

/** Returns the OAuth client of these credentials or of the operator, and the account of these credentials. */
async function clientFor(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, credentialsId, for: type }: ClientPlace,
): Promise<{ readonly client: GoogleClient; readonly account?: string | undefined }> {
  const opened =
    credentialsId === null ? undefined : await openCredentials(deps, caller, { workspaceId, credentialsId });
  if (opened && opened.kind.type !== type) throw new AppError("credentials.not_found");
  const data = opened?.data ?? {};
  const [id, secret] = [textIn(data, "clientId"), textIn(data, "clientSecret")];
  const client = id !== undefined && secret !== undefined ? { id, secret } : deps.google.client;
  if (!client) throw new AppError("oauth.no_client");
  return { client, account: textIn(data, "account") };
}

const sendMail = "https://www.googleapis.com/auth/gmail.send";
const changeMail = "https://www.googleapis.com/auth/gmail.modify";
const spreadsheets = "https://www.googleapis.com/auth/spreadsheets";

/**
 * Returns only the permissions that the blocks need. Spreadsheets are identified by their address, so no permission for
 * Drive is needed.
 */
export function scopesOf({ for: type, hasLabels = false }: Pick<Connecting, "for" | "hasLabels">): readonly string[] {
  if (type === "google sheets") return [spreadsheets];
  return hasLabels ? [sendMail, changeMail] : [sendMail];
}

type Exchange = {
  readonly workspaceId: string;
  readonly client: GoogleClient;
  readonly code: string;
  readonly begun: Begun;
};

/** Exchanges a code for the refresh token and the account. */
async function exchange(deps: ManagementDependencies, { workspaceId, client, code, begun }: Exchange) {
  const { verifier, redirectUri, scopes } = begun;
  const form = {
    ...{ grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri },
    ...{ client_id: client.id, client_secret: client.secret },
  };
  const asked = await askToken({ ...deps, workspaceId }, form, [client.secret, code, verifier]);
  if ("said" in asked) {
    if (asked.status === undefined) throw new AppError("credentials.provider_failed", { message: asked.said });
    throw new AppError("oauth.refused", { message: sentenceOf(asked.said) });
  }
  const refreshToken = textAt(asked.answer, "refresh_token");
  if (!refreshToken) throw new AppError("oauth.refused", { message: noRefreshToken });
  const given = (textAt(asked.answer, "scope") ?? "").split(" ");
  if (!scopes.every((scope) => given.includes(scope))) throw new AppError("oauth.refused", { message: lacksRights });
  return { refreshToken, account: emailIn(textAt(asked.answer, "id_token")) };
}

const noRefreshToken =
  "Google granted no lasting access. Remove this app at https://myaccount.google.com/permissions, then connect the account again.";
const lacksRights =
  "The account was connected without all permissions. Connect it again, and select every checkbox on Google's page.";

function sentenceOf(said: string | undefined): string {
  if (said === "access_denied") return "Nothing was connected: the request was declined on Google's page.";
  return `Google did not connect the account: ${(said ?? "it gave no reason").slice(0, limits.credentials.sentenceCharacters)}`;
}

/**
 * Returns the account's address; undefined if the token contains no address. The token came directly from Google, so
 * its signature is not verified.
 */
function emailIn(idToken: string | undefined): string | undefined {
  const claims = parseJsonOr(Buffer.from(idToken?.split(".")[1] ?? "", "base64url").toString(), undefined);
  return textAt(claims, "email") || undefined;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
