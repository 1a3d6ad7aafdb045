import { RefusedCall, type Trusted } from "../../core/flow/outgoing-rules.ts";
import { noHops } from "../safe-fetch/hops.ts";
import { BusyCall, FailedCall } from "../safe-fetch/safe-fetch-exchange.ts";
import type { SafeStream, StreamedResponse } from "../safe-fetch/safe-fetch-stream.ts";

/** A file on another server, read as a stream. */
export type RemoteFile = {
  /** The size reported by the server. Undefined if the server reports no valid size. */
  readonly bytes: number | undefined;
  readonly type: string | undefined;
  readonly body: ReadableStream<Uint8Array>;
};

/**
 * The outcome of opening a file. `gone`: the server responded with a status that a retry would not change. `refused`:
 * the URL or its redirect must not be called. `later`: a retry may succeed.
 */
export type OpenedFile =
  | { readonly kind: "open"; readonly file: RemoteFile }
  | { readonly kind: "gone" | "refused"; readonly why: string }
  | { readonly kind: "later"; readonly why: string };

export type FilePlace = { readonly url: string; readonly trusted?: Trusted };

/** The maximum time without data, after which the download is aborted. */
const silenceMs = 20_000;

/**
 * Opens a file on another server. One redirect is followed, after the same checks as for any other URL. A redirect is
 * not followed if its URL contains one of the secrets.
 */
export async function openFile(
  safeStream: SafeStream,
  first: FilePlace,
  {
    workspaceId,
    timeoutMs,
    maxBytes,
    secrets,
    signal,
  }: {
    readonly workspaceId: string;
    readonly timeoutMs: number;
    readonly maxBytes: number;
    readonly secrets: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<OpenedFile> {
  const call = (place: FilePlace): Promise<StreamedResponse> =>
    safeStream({
      ...place,
      ...{ method: "GET", headers: [["Accept", "*/*"]], redirect: "manual" },
      ...{ firstByteMs: silenceMs, silenceMs, timeoutMs, maxBytes, signal },
      hops: { ...noHops, workspaceId },
    });
  try {
    let answer = await call(first);
    const location = answer.headers.get("location");
    if (isRedirect(answer.status) && location !== undefined) {
      await answer.body.cancel();
      const next = URL.parse(location, first.url)?.href;
      if (next === undefined || secrets.some((secret) => isIn(next, secret))) {
        return { kind: "refused", why: "The file's server redirects to an address that cannot be called" };
      }
      answer = await call({ url: next });
    }
    const { status, headers, body } = answer;
    if (status !== 200) {
      await body.cancel();
      const isPassing = status >= 500 || status === 408 || status === 429;
      return { kind: isPassing ? "later" : "gone", why: `The file's server responded with status ${status}` };
    }
    const length = headers.get("content-length");
    return {
      kind: "open",
      file: {
        bytes: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined,
        type: headers.get("content-type"),
        body,
      },
    };
  } catch (error) {
    if (error instanceof RefusedCall) return { kind: "refused", why: error.message };
    if (error instanceof BusyCall)
      return { kind: "later", why: "The service had too many running calls to download the file" };
    // The error message may contain the URL, which may contain a secret.
    if (error instanceof FailedCall) return { kind: "later", why: "The file's server did not respond" };
    throw error;
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function isIn(address: string, secret: string): boolean {
  return secret !== "" && (address.includes(secret) || address.includes(encodeURIComponent(secret)));
}
