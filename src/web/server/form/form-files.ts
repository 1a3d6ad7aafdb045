import { askForUpload } from "../../../chat/files/uploads.ts";
import type { ChatDependencies } from "../../../chat/steps/dependencies.ts";
import { AppError, type ErrorCode } from "../../../errors.ts";
import type { Origins } from "../../../management/access/origins.ts";
import { receiveUpload } from "../../../management/files/upload-content.ts";
import { chosenFiles, fileProblem, uploadErrorText, withAddresses } from "../../conversation/files.ts";
import { readApiError } from "../../conversation/refusal.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";

type Posted = {
  readonly sessionId: string;
  readonly input: Input;
  readonly words: Words;
  readonly origins: Origins;
  /** The origin to which the form was posted. */
  readonly postedTo: string;
};

/**
 * Stores a form's files as the page's script would. Returns the form with their URLs, or the reason why a file was
 * rejected.
 */
export async function storeFiles(deps: ChatDependencies, form: FormData, posted: Posted): Promise<FormData | string> {
  const files = chosenFiles(form);
  const problem = files
    .map(({ file }) => fileProblem(file, posted.input, posted.words))
    .find((one) => one !== undefined);
  if (problem !== undefined) return problem;
  const addresses: string[] = [];
  for (const { file } of files) {
    try {
      addresses.push(await storeFile(deps, file, posted));
    } catch (error) {
      if (!(error instanceof AppError) || !refusals.has(error.code)) throw error;
      return uploadErrorText(readApiError(error), file.name, posted.words);
    }
  }
  return withAddresses(form, addresses);
}

/** Errors that are shown to the visitor next to the input. All other errors are thrown. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  "upload.type_not_allowed",
  "upload.size_not_allowed",
  "upload.too_many",
  "upload.empty",
  "workspace.storage_full",
  "request.too_large",
]);

async function storeFile(
  deps: ChatDependencies,
  file: File,
  { sessionId, origins, postedTo }: Posted,
): Promise<string> {
  const { presignedUrl, fileUrl } = await askForUpload(deps, {
    sessionId,
    fileName: file.name,
    fileType: file.type || undefined,
    fileSize: file.size,
    origins,
    requestOrigin: postedTo,
  });
  const token = presignedUrl.slice(presignedUrl.lastIndexOf("/") + 1);
  await receiveUpload(deps, {
    token,
    contentType: file.type || null,
    contentLength: file.size,
    body: file.stream(),
  });
  return fileUrl;
}
