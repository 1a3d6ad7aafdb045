import type { GmailEffect, GmailReport } from "../../core/interpreter/program/google.ts";
import type { GoogleContext } from "./google-call.ts";
import { type MailFiles, sendMail } from "./send-mail.ts";

/** Sends a mail from a Google account within the step. A failed call is returned as a report. */
export async function performGmail(
  effect: GmailEffect,
  context: GoogleContext & { readonly files?: MailFiles },
): Promise<GmailReport> {
  const sent = await sendMail(effect, context);
  if ("failure" in sent) {
    const { isDoubtful: _, ...failure } = sent.failure;
    return { kind: "gmail", failure };
  }
  const { threadId, notes } = sent;
  return { kind: "gmail", threadId, ...(notes.length > 0 && { notes }) };
}
