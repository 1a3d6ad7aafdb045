import { currentRequest } from "../../platform/observing/current-request.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { openAuditEntry, type Write } from "./audit.ts";

/**
 * Whether an operation writes data that people manage: each of its calls, or of those that its function names, has its
 * entry in the audit log.
 */
export function isAuditedWrite({
  method,
  host = "management",
  isAudited,
}: {
  readonly method: string;
  readonly host?: "management" | "chat" | "both";
  readonly isAudited?: boolean | ((body: never) => boolean);
}): boolean {
  if (typeof isAudited === "function") return true;
  return isAudited ?? (method !== "GET" && host === "management");
}

/** Handles a write between the two halves of its entry in the audit log. */
export async function audited<Answer>(
  deps: ManagementDependencies,
  write: Omit<Write, "requestId">,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const entry = await openAuditEntry(deps, { ...write, requestId: currentRequest()?.requestId ?? "" });
  let answer: Answer;
  try {
    answer = await handle();
  } catch (error) {
    await entry.failed(error);
    throw error;
  }
  await entry.done(answer);
  return answer;
}
