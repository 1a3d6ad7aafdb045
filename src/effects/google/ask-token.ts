import { googleServer } from "../../core/credentials/google.ts";
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

/**
 * Google's answer to a token request, or a sentence that describes the failure. The sentence contains no keys. `status`
 * is absent if there was no response.
 */
export type TokenAnswer =
  | { readonly answer: unknown }
  | { readonly status?: number; readonly code?: string | undefined; readonly said: string };

const tokenEndpoint = "https://oauth2.googleapis.com/token";

/** Sends a request to Google's token endpoint. `said` never contains any of the `keys`. */
export async function askToken(
  { safeFetch, providers, workspaceId }: Ways,
  form: Readonly<Record<string, string>>,
  keys: readonly string[],
): Promise<TokenAnswer> {
  try {
    const { status, text } = await safeFetch({
      ...atProvider(providers.urls, { name: googleServer, url: tokenEndpoint }),
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
    const said = textAt(answer, "error_description") || code || `It responded with status ${status}`;
    return { status, code, said: withoutKeys(said, keys).slice(0, limits.credentials.sentenceCharacters) };
  } catch (error) {
    if (!(error instanceof FailedCall || error instanceof RefusedCall)) throw error;
    return { said: withoutKeys(error.message, keys) };
  }
}
