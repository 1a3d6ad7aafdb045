import { keepFile } from "../components/file-names.ts";
import type { Uploading } from "../components/uploading.ts";
import { chosenFiles, fileProblem, uploadErrorText, withAddresses } from "../conversation/files.ts";
import { textAt } from "../conversation/read.ts";
import { type ApiError, readApiError } from "../conversation/refusal.ts";
import type { Input } from "../conversation/step.ts";
import type { Words } from "../conversation/words.ts";
import { parse } from "./memory.ts";

export type UploadOptions = {
  /** The origin of the service; empty for the page's own origin. */
  readonly base: string;
  /** Headers of requests to the service, in addition to the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly sessionId: string;
  readonly input: Input;
  readonly words: Words;
  onProgress(uploading: Uploading): void;
};

/**
 * The form with its stored files, or the reason why they were not stored. `cancelled`: the visitor cancelled the
 * upload.
 */
export type Uploaded =
  | { readonly kind: "stored"; readonly form: FormData }
  | { readonly kind: "wrong"; readonly error: string }
  | { readonly kind: "cancelled" };

/** Uploads the files of a form one after another, and reports the progress. */
export async function uploadFiles(form: FormData, options: UploadOptions): Promise<Uploaded> {
  const { input, words, onProgress } = options;
  const files = chosenFiles(form);
  const problem = files.map(({ file }) => fileProblem(file, input, words)).find((one) => one !== undefined);
  if (problem !== undefined) return { kind: "wrong", error: problem };
  const abort = new AbortController();
  const shares = files.map(() => 0);
  const report = (): void => onProgress({ shares: [...shares], cancel: () => abort.abort() });
  report();
  const addresses: string[] = [];
  for (const [index, { file }] of files.entries()) {
    try {
      const known = uploadedFiles.get(file);
      const address =
        known?.sessionId === options.sessionId
          ? known.address
          : await uploadOne(file, options, abort.signal, (share) => {
              shares[index] = share;
              report();
            });
      uploadedFiles.set(file, { sessionId: options.sessionId, address });
      keepFile(address, file);
      shares[index] = 1;
      report();
      addresses.push(address);
    } catch (error) {
      if (abort.signal.aborted) return { kind: "cancelled" };
      const cause = error instanceof UploadError ? error.error : readApiError(undefined);
      return { kind: "wrong", error: uploadErrorText(cause, file.name, words) };
    }
  }
  return { kind: "stored", form: withAddresses(form, addresses) };
}

/** Files that were already stored. If a later file fails, these files are not uploaded again. */
const uploadedFiles = new WeakMap<File, { readonly sessionId: string; readonly address: string }>();

async function uploadOne(
  file: File,
  { base, headers, sessionId, input }: UploadOptions,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<string> {
  const ticket: unknown = await withRetries(signal, () =>
    jsonOf(
      fetch(`${base}/api/v3/generate-upload-url`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({
          sessionId,
          blockId: input.id,
          fileName: file.name,
          fileSize: file.size,
          ...(file.type !== "" && { fileType: file.type }),
        }),
        signal,
      }),
    ),
  );
  const presignedUrl = textAt(ticket, "presignedUrl");
  const fileUrl = textAt(ticket, "fileUrl");
  if (presignedUrl === undefined || fileUrl === undefined) throw new UploadError(readApiError(undefined), 200);
  await withRetries(signal, () => put(presignedUrl, file, { signal, onShare }));
  return fileUrl;
}

async function jsonOf(request: Promise<Response>): Promise<unknown> {
  const response = await request;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new UploadError(readApiError(body), response.status, response.headers.get("retry-after"));
  return body;
}

type PutOptions = { readonly signal: AbortSignal; onShare(share: number): void };

/** Uploads a file with XMLHttpRequest, because `fetch` does not report upload progress. */
function put(url: string, file: File, { signal, onShare }: PutOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve();
      const error = readApiError(parse(request.responseText));
      reject(new UploadError(error, request.status, request.getResponseHeader("retry-after")));
    };
    // There was no response.
    request.onerror = () => reject(new UploadError(readApiError(undefined), 503));
    request.onabort = () => reject(new UploadError(readApiError(undefined), 0));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/**
 * Thrown when the service or the storage rejects a file. The status is 503 if there was no response, and 0 if the
 * request was aborted.
 */
class UploadError extends Error {
  override readonly name = "UploadError";
  readonly error: ApiError;
  readonly status: number;
  /** The delay that a rate limit requests. */
  readonly retryAfterMs: number | undefined;

  constructor(error: ApiError, status: number, retryAfter: string | null = null) {
    super(error.message);
    this.error = error;
    this.status = status;
    this.retryAfterMs = status === 429 && Number(retryAfter) > 0 ? Number(retryAfter) * 1000 : undefined;
  }
}

/**
 * Retries a few times after network errors and retryable statuses, because storing the same content twice has no
 * further effect. If a rate limit specifies a delay, the upload waits for this delay.
 */
async function withRetries<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
  let pauseMs = 700;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const isRetryable = error instanceof TypeError || (error instanceof UploadError && isWorthWaiting(error));
      if (signal.aborted || !isRetryable || pauseMs > maxPauseMs) throw error;
      const retryAfterMs = error instanceof UploadError ? error.retryAfterMs : undefined;
      await pauseUnlessAborted(signal, retryAfterMs ?? pauseMs);
      if (retryAfterMs === undefined) pauseMs *= 2;
    }
  }
}

function pauseUnlessAborted(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Whether a retry may succeed soon. A workspace's daily limit ends only at midnight. */
function isWorthWaiting({ status, error }: UploadError): boolean {
  return retryableStatuses.has(status) && error.code !== "workspace.storage_full";
}

const retryableStatuses = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const maxPauseMs = 6_000;
