import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Mail } from "../../../core/interpreter/program/job.ts";
import type { AttachedFile, Delivery, Mailer } from "../../../effects/mail/email.ts";
import type { WorkspaceMailer } from "../../../effects/mail/workspace-mail.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { isId } from "../../../platform/ids.ts";
import type { OutboxRow } from "../../../platform/queue/outbox.sql.ts";
import type { Handler } from "../../../platform/queue/workers.ts";
import type { Secrets } from "../../../platform/secrets.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { credentialsOfStep } from "../credentials-of-step.ts";
import { closeContents, type FoundContent, findMails, giveUpContent, type JobLog } from "./job-contents.sql.ts";
import { closeAttachments, openAttachments } from "./mail-attachments.ts";

type MailParts = {
  readonly sql: Sql;
  readonly storage: Pick<Storage, "read">;
  readonly mailer: Mailer;
  readonly secrets: Secrets;
  readonly workspaceMailer: WorkspaceMailer;
};

/** The job of a mail. It contains only ids, and no content that people wrote. */
const MailJob = Type.Object({ mailId: Type.String(), botId: Type.String() });
type MailJob = Static<typeof MailJob>;

/** Creates the job of a mail in the outbox. */
export function mailJob({ id, data }: OutboxRow): MailJob {
  return { mailId: id, botId: data.botId };
}

/**
 * Delivers mails, each at least once and always with the same Message-ID, until delivery succeeds or the retries end.
 * The result's log records the outcome once. A mail whose result was deleted or erased is not sent.
 */
export function deliverMails(parts: MailParts): Handler {
  const { sql } = parts;
  return async ({ data }) => {
    const { mailId } = Value.Parse(MailJob, data);
    const [mail] = await findMails(sql, [mailId]);
    if (!mail) {
      // The relay may have stored the mail while its result was being erased, so its content is deleted.
      await closeContents(sql, "mails", [mailId], sentLog);
      return { kind: "done", message: "Nothing to send: the mail was already delivered, or its result was erased" };
    }
    const files = await openAttachments(parts, mail.content);
    const delivery = "problem" in files ? notAttached(files) : await deliver(parts, mail, files);
    if (!("problem" in files)) await closeAttachments(files);
    if (delivery.kind === "failed") {
      const { reason, outline = reason, isRetryable, description = failedLog.description } = delivery;
      const onGivenUp = () => giveUpContent(sql, "mails", mailId, { ...failedLog, description, details: reason });
      return { kind: "failed", message: outline, isRetryable, onGivenUp };
    }
    await closeContents(sql, "mails", [mailId], delivery.refused ? partlySent(delivery.refused) : sentLog);
    return { kind: "done", message: "Delivered to the mail server" };
  };
}

const context = "While sending email";
const sentLog: JobLog = { status: "success", description: "Email successfully sent", context };
const partlySent = (refused: readonly string[]): JobLog => ({
  status: "error",
  description: "Email sent, but not to every recipient",
  details: `The mail server refused ${refused.join(", ")}`,
  context,
  reason: "mail",
});
const failedLog: JobLog = { status: "error", description: "Email not sent", context, reason: "mail" };

/** Uses the workspace's own server if the mail names its credentials, and otherwise the operator's server. */
async function deliver(
  { sql, mailer, secrets, workspaceMailer }: MailParts,
  { id: mailId, content: { attachments: _, ...content }, workspaceId }: FoundContent<Mail>,
  files: readonly AttachedFile[],
): Promise<Ended> {
  const { credentialsId } = content;
  const letter = { ...content, files };
  if (workspaceId === null || !isId(credentialsId)) return mailer.send(letter, mailId);
  const credentials = credentialsOfStep({ sql, secrets }, { workspaceId, isLive: true });
  const data = await credentials.find({ type: "smtp", credentialsId });
  if (data === undefined) return failed("The workspace does not have these credentials of a mail server");
  if (data === "unreadable") return failed("No key of this instance decrypts the credentials: enter them again");
  await credentials.noteUse({ credentialsId });
  const delivery = await workspaceMailer.send(data, letter, mailId);
  if (delivery.kind === "failed" && delivery.isLoginRefused) {
    await credentials.noteProblem?.({ credentialsId, problem: delivery.reason });
  }
  return delivery;
}

/** `description` is the text of the log entry, if it differs from the default. */
type Ended = Delivery & { readonly description?: string };

function notAttached({ problem, isStrange }: { problem: string; isStrange: boolean }): Ended {
  return { ...failed(problem), ...(isStrange && { description: "Invalid email attachment URL" }) };
}

function failed(reason: string): Delivery {
  return { kind: "failed", reason, isRetryable: false };
}
