import { StartError } from "../../config.ts";
import { readFlowParts } from "../../core/flow/check.ts";
import { completeFlow } from "../../core/flow/complete.ts";
import type { StoredFlow } from "../../core/flow/document.ts";
import { AppError } from "../../errors.ts";
import { listAt, textAt } from "../../web/conversation/read.ts";

/** Parses the flow in a file's content. Throws a StartError that names the file and the error. */
export function flowIn(content: unknown, path: string): StoredFlow {
  try {
    return completeFlow(readFlowParts(content, "bot"));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [issue] = listAt(error.data, "issues");
    const where =
      issue === undefined ? "" : ` ${[textAt(issue, "path"), textAt(issue, "message")].filter(Boolean).join(" ")}.`;
    throw new StartError(`${path} has no flow: ${error.message}${where}`, { cause: error });
  }
}
