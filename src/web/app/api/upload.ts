import { type Answer, addressOf, call, noteFailure, type OperationName } from "./call.ts";
import { ApiFailure, failureOf } from "./failure.ts";
import { allPages } from "./pages.ts";

export type UploadOptions = {
  /** Called with the progress, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

type UploadedFile = { readonly file: Blob; readonly path?: object; readonly query?: object };

/**
 * Uploads a file to an operation whose body is a file, and reports the progress, which `fetch` does not support. Throws
 * an `ApiFailure` when the service refuses the upload or cannot be reached, and an `AbortError` when the upload is
 * aborted.
 */
export async function upload<Name extends OperationName>(
  name: Name,
  { file, onProgress, signal, ...place }: UploadOptions & UploadedFile,
): Promise<Answer<Name>> {
  const [method = "POST", template = ""] = name.split(" ");
  const response = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const lost = () =>
      reject(new ApiFailure({ status: 0, code: "network.offline", message: "The service cannot be reached." }));
    request.open(method, addressOf(template, place));
    request.setRequestHeader("Parley-App", "1");
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const requestId = request.getResponseHeader("x-request-id");
      const headers = { ...(requestId !== null && { "x-request-id": requestId }) };
      resolve(new Response(request.responseText, { status: request.status, headers }));
    };
    request.onerror = lost;
    request.ontimeout = lost;
    request.onabort = () => reject(new DOMException("The upload was broken off.", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
  if (!response.ok) throw noteFailure(await failureOf(response));
  const answer: Answer<Name> = await response.json();
  return answer;
}

/** Returns the files of a workspace. See `allPages`. */
export function filesOfWorkspace(workspaceId: string) {
  return allPages(
    (page) => call("GET /api/v1/workspaces/:workspaceId/files", { path: { workspaceId }, query: page }),
    ({ files }) => files,
  );
}

/** Returns a function that uploads a file for visitors into a workspace and resolves to the file's URL. */
export function uploadToWorkspace(workspaceId: string): (file: File, options: UploadOptions) => Promise<string> {
  return async (file, options) => {
    const place = { path: { workspaceId }, query: { name: file.name.slice(-255) } };
    const stored = await upload("POST /api/v1/workspaces/:workspaceId/files", { ...place, ...options, file });
    return stored.workspaceFile.url;
  };
}
