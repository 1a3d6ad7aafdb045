import { AppError } from "../errors.ts";
import type { MadeFile, StepFiles } from "./effect-context.ts";

/**
 * Stores a file that was created for the visitor. If the file cannot be stored, for example because the session has
 * reached its file limit, returns a failure, and the flow continues without the file.
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
