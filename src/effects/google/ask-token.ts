import { createPrivateKey, sign } from "node:crypto";
import { type CredentialsData, textIn } from "../../core/credentials/kind.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { textAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { limits } from "../../limits/index.ts";
import { atProvider, type Providers } from "../providers/provider-urls.ts";
import { noHops } from "../safe-fetch/hops.ts";
import { FailedCall, RefusedCall, type SafeFetch } from "../safe-fetch/safe-fetch.ts";

type Ways = {
  readonly safeFetch: SafeFetch;
  readonly providers: Pick<Providers, "urls">;
  readonly workspaceId: string;
};

/** Google's answer to a request for tokens. `said` is its sentence, without keys; without a status none came. */
export type TokenAnswer =
  | { readonly answer: unknown }
  | { readonly status?: number; readonly code?: string | undefined; readonly said: string };

const tokenEndpoint = "https://oauth2.googleapis.com/token";

/** Asks Google's token endpoint. `keys` never appear in the result. */
export async function askToken(
  { safeFetch, providers, workspaceId }: Ways,
  form: Readonly<Record<string, string>>,
  keys: readonly string[],
): Promise<TokenAnswer> {
  try {
    const { status, text } = await safeFetch({
      ...atProvider(providers.urls, { name: "google", url: tokenEndpoint }),
      method: "POST",
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
      body: new URLSearchParams(form).toString(),
      timeoutMs: limits.credentials.timeoutMs,
      redirect: "manual",
      hops: { ...noHops, workspaceId },
    });
    const answer = parseJsonOr(text, undefined);
    if (status === 200 && textAt(answer, "access_token")) return { answer };
    const code = textAt(answer, "error");
    const said = textAt(answer, "error_description") || code || `It answered ${status}`;
    return { status, code, said: withoutKeys(said, keys).slice(0, limits.credentials.sentenceCharacters) };
  } catch (error) {
    if (!(error instanceof FailedCall || error instanceof RefusedCall)) throw error;
    return { said: withoutKeys(error.message, keys) };
  }
}

type Client = { readonly id: string; readonly secret: string };

/** Tries a connected account, or a service account: Google gives a token, which is thrown away. */
export async function tryAccount(
  ways: Ways,
  { data, client, scope }: { data: CredentialsData; client: Client | undefined; scope: string },
): Promise<TokenAnswer> {
  const [email, key] = [textIn(data, "clientEmail"), textIn(data, "privateKey")];
  if (email !== undefined && key !== undefined) {
    const assertion = assertionOf({ email, key, scope });
    if (assertion === undefined) return { said: "The private key cannot be read" };
    return askToken(ways, { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }, [key, assertion]);
  }
  const refreshToken = textIn(data, "refreshToken");
  if (refreshToken === undefined) return { said: "No Google account is connected" };
  if (client === undefined)
    return { said: "There is no OAuth client for it: the operator sets one, or you enter yours" };
  const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: client.id };
  return askToken(ways, { ...form, client_secret: client.secret }, [refreshToken, client.secret]);
}

/** A service account proves that it has its key. Undefined if the key cannot be read. */
function assertionOf({ email, key, scope }: { email: string; key: string; scope: string }): string | undefined {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: email, scope, aud: tokenEndpoint, iat: now, exp: now + 600 };
  const content = [{ alg: "RS256", typ: "JWT" }, claims].map(encoded).join(".");
  try {
    return `${content}.${sign("RSA-SHA256", Buffer.from(content), createPrivateKey(key)).toString("base64url")}`;
  } catch {
    // Node throws an error of its own for each way in which a key is none.
    return undefined;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
