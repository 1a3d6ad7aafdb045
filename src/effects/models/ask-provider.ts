import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { limits } from "../../limits/index.ts";
import { sentenceIn } from "../providers/sentences.ts";
import { noHops } from "../safe-fetch/hops.ts";
import { FailedCall, RefusedCall, type SafeFetch, type Trusted } from "../safe-fetch/safe-fetch.ts";
import type { Headers } from "../safe-fetch/safe-fetch-exchange.ts";

/**
 * A provider's response. For an unexpected or missing response, `problem` is a sentence without keys. `status` is null
 * if there was no response.
 */
export type ProviderAnswer =
  | { readonly status: number; readonly text: string }
  | { readonly status: number | null; readonly problem: string };

type ProviderQuestion = {
  readonly url: string;
  /** The operator's list that may contain the provider's origin. */
  readonly trusted?: Trusted | undefined;
  readonly headers: Headers;
  readonly keys: readonly string[];
  readonly workspaceId: string;
};

/**
 * Sends a request that the provider does not bill. Redirects are not followed, so that a key is sent only to the
 * provider's own server. `problem` never contains any of the `keys`.
 */
export async function askProvider(
  safeFetch: SafeFetch,
  { url, trusted = "models", headers, keys, workspaceId }: ProviderQuestion,
): Promise<ProviderAnswer> {
  const { timeoutMs } = limits.credentials;
  try {
    const { status, text } = await safeFetch({
      ...{ url, method: "GET", headers, timeoutMs, redirect: "manual", trusted },
      hops: { ...noHops, workspaceId },
    });
    if (status >= 200 && status < 300) return { status, text };
    const isRedirect = status >= 300 && status < 400;
    const said = isRedirect
      ? "it redirects to another address, and a key must not follow a redirect"
      : sentenceIn(text);
    return { status, problem: withoutKeys(`The server responded with status ${status}${said && `: ${said}`}`, keys) };
  } catch (error) {
    if (!(error instanceof FailedCall || error instanceof RefusedCall)) throw error;
    return { status: null, problem: withoutKeys(error.message, keys) };
  }
}

/**
 * Returns the names in a list of models in the provider's order, at most `limits.credentials.models`. Returns undefined
 * if the text contains no such list.
 */
export function readModels(text: string): string[] | undefined {
  const value = parseJsonOr(text, text);
  const list = [value, valueAt(value, "data"), valueAt(value, "models")].find((one) => Array.isArray(one));
  return list
    ?.flatMap((model) => textAt(model, "id") || textAt(model, "name") || (typeof model === "string" ? [model] : []))
    .slice(0, limits.credentials.models);
}
