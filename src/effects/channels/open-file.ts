import { RefusedCall, type Trusted } from "../../core/flow/outgoing-rules.ts";
import { noHops } from "../safe-fetch/hops.ts";
import { BusyCall, FailedCall } from "../safe-fetch/safe-fetch-exchange.ts";
import type { SafeStream, StreamedResponse } from "../safe-fetch/safe-fetch-stream.ts";

/** A file of another server, as it arrives. */
export type RemoteFile = {
  /** As the server reports it; undefined if it does not. */
  readonly bytes: number | undefined;
  readonly type: string | undefined;
  readonly body: ReadableStream<Uint8Array>;
};

/**
 * `gone`: the file does not exist. `refused`: the address must not be called. `later`: another attempt may find the
 * file.
 */
export type OpenedFile =
  | { readonly kind: "open"; readonly file: RemoteFile }
  | { readonly kind: "gone" | "refused"; readonly why: string }
  | { readonly kind: "later"; readonly why: string };

export type FilePlace = { readonly url: string; readonly trusted?: Trusted };

/** The longest silence of a server. */
const silenceMs = 20_000;

/**
 * Opens a file of another server. One redirect is followed, and checked like any other address. It gets no headers of
 * the first request, and is not followed if it contains one of the secrets.
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
        return { kind: "refused", why: "Its server leads to another address, which cannot be called" };
      }
      answer = await call({ url: next });
    }
    const { status, headers, body } = answer;
    if (status !== 200) {
      await body.cancel();
      const isPassing = status >= 500 || status === 408 || status === 429;
      return { kind: isPassing ? "later" : "gone", why: `Its server answered ${status}` };
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
    if (error instanceof BusyCall) return { kind: "later", why: "This service had no room for the call" };
    // The error's message may name the address, which may hold a secret.
    if (error instanceof FailedCall) return { kind: "later", why: "Its server did not answer" };
    throw error;
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function isIn(address: string, secret: string): boolean {
  return secret !== "" && (address.includes(secret) || address.includes(encodeURIComponent(secret)));
}
