import { nameFile } from "../components/file-names.ts";
import type { Uploading } from "../components/uploading.ts";
import { chosenFiles, fileProblem, withAddresses } from "../conversation/files.ts";
import { textAt } from "../conversation/read.ts";
import { type ApiError, readApiError, uploadErrorText } from "../conversation/refusal.ts";
import type { Input } from "../conversation/step.ts";
import type { Words } from "../conversation/words.ts";
import { parse } from "./memory.ts";

export type UploadOptions = {
  /** Where the service is; empty: where the page is from. */
  readonly base: string;
  readonly sessionId: string;
  readonly input: Input;
  readonly words: Words;
  onProgress(uploading: Uploading): void;
};

/** The form with its files stored, or why they are not; "cancelled" where the visitor wanted so. */
export type Uploaded =
  | { readonly kind: "stored"; readonly form: FormData }
  | { readonly kind: "wrong"; readonly error: string }
  | { readonly kind: "cancelled" };

/** Stores the files of a form, one after the other, and tells how far they are. */
export async function uploadFiles(form: FormData, options: UploadOptions): Promise<Uploaded> {
  const { input, words, onProgress } = options;
  const files = chosenFiles(form);
  const problem = files.map(({ file }) => fileProblem(file, input, words)).find((one) => one !== undefined);
  if (problem !== undefined) return { kind: "wrong", error: problem };
  const stop = new AbortController();
  const shares = files.map(() => 0);
  const tell = (): void => onProgress({ shares: [...shares], cancel: () => stop.abort() });
  tell();
  const addresses: string[] = [];
  for (const [index, { file }] of files.entries()) {
    try {
      const known = storedBefore.get(file);
      const address =
        known?.sessionId === options.sessionId
          ? known.address
          : await uploadOne(file, options, stop.signal, (share) => {
              shares[index] = share;
              tell();
            });
      storedBefore.set(file, { sessionId: options.sessionId, address });
      nameFile(address, file.name);
      shares[index] = 1;
      tell();
      addresses.push(address);
    } catch (error) {
      if (stop.signal.aborted) return { kind: "cancelled" };
      const cause = error instanceof NotTaken ? error.error : readApiError(undefined);
      return { kind: "wrong", error: uploadErrorText(cause, file.name, words) };
    }
  }
  return { kind: "stored", form: withAddresses(form, addresses) };
}

/** A file that has arrived is not sent again when one after it did not. */
const storedBefore = new WeakMap<File, { readonly sessionId: string; readonly address: string }>();

async function uploadOne(
  file: File,
  { base, sessionId, input }: UploadOptions,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<string> {
  const asked: unknown = await again(signal, () =>
    answerOf(
      fetch(`${base}/api/v3/generate-upload-url`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
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
  const presignedUrl = textAt(asked, "presignedUrl");
  const fileUrl = textAt(asked, "fileUrl");
  if (presignedUrl === undefined || fileUrl === undefined) throw new NotTaken(readApiError(undefined), 200);
  await again(signal, () => put(presignedUrl, file, { signal, onShare }));
  return fileUrl;
}

async function answerOf(answering: Promise<Response>): Promise<unknown> {
  const response = await answering;
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new NotTaken(readApiError(body), response.status);
  return body;
}

type PutOptions = { readonly signal: AbortSignal; onShare(share: number): void };

/** Only the older kind of request tells how much has gone out. */
function put(url: string, file: File, { signal, onShare }: PutOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve();
      reject(new NotTaken(readApiError(parse(request.responseText)), request.status));
    };
    // Nothing came back.
    request.onerror = () => reject(new NotTaken(readApiError(undefined), 503));
    request.onabort = () => reject(new NotTaken(readApiError(undefined), 0));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** A file that was not taken, and why. */
class NotTaken extends Error {
  override readonly name = "NotTaken";
  readonly error: ApiError;
  readonly status: number;

  constructor(error: ApiError, status: number) {
    super(error.message);
    this.error = error;
    this.status = status;
  }
}

/** What only failed on the way, or came at a bad time, is tried again: storing the same content twice is storing it once. */
async function again<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
  for (let pauseMs = 700; ; pauseMs *= 2) {
    try {
      return await run();
    } catch (error) {
      const isPassing = error instanceof TypeError || (error instanceof NotTaken && passing.has(error.status));
      if (signal.aborted || !isPassing || pauseMs > longestPauseMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const longestPauseMs = 6_000;
