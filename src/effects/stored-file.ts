import { AppError } from "../errors.ts";
import type { MadeFile, StepFiles } from "./effect-context.ts";

/**
 * Keeps a file that was made for the visitor. The flow continues without it where the storage is unavailable, or the
 * session has its full number.
 */
export async function keepFile(
  files: StepFiles | undefined,
  file: MadeFile,
): Promise<{ readonly url: string } | { readonly failure: { readonly reason: "file"; readonly details?: string } }> {
  if (!files) return { failure: { reason: "file" } };
  try {
    return { url: await files.keep(file) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { failure: { reason: "file", details: error.message } };
  }
}
