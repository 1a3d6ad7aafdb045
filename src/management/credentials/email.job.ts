import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { Delivery, Mailer } from "../../effects/mail/email.ts";
import type { WorkspaceMailer } from "../../effects/mail/workspace-mail.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId } from "../../platform/ids.ts";
import type { OutboxRow } from "../../platform/queue/outbox.sql.ts";
import type { Handler } from "../../platform/queue/workers.ts";
import { credentialsPlace, type Secrets } from "../../platform/secrets.ts";
import { credentialsRows, noteUse } from "./credentials.sql.ts";
import { closeMail, findMail, giveUpMail } from "./mails.sql.ts";

type MailParts = {
  readonly sql: Sql;
  readonly mailer: Mailer;
  readonly secrets: Secrets;
  readonly workspaceMailer: WorkspaceMailer;
};

/** The job of a mail: only its ids, and nothing that anybody wrote. */
const MailJob = Type.Object({ mailId: Type.String(), botId: Type.String() });
type MailJob = Static<typeof MailJob>;

/** The job of a mail in the outbox. */
export function mailJob({ id, data }: OutboxRow): MailJob {
  return { mailId: id, botId: data.botId };
}

/**
 * Delivers mails, each at least once and always under the same Message-ID, or gives them up after their retries; either way their
 * result's log says so once. A mail whose result was erased is not sent.
 */
export function deliverMails(parts: MailParts): Handler {
  const { sql } = parts;
  return async ({ data }) => {
    const { mailId } = Value.Parse(MailJob, data);
    const mail = await findMail(sql, mailId);
    if (!mail) {
      // The relay may have stored it while its result was being erased: its content must not stay.
      await closeMail(sql, mailId);
      return { kind: "done", message: "Nothing to send: the mail was already delivered, or its result was erased" };
    }
    const delivery = await deliver(parts, { ...mail, mailId });
    if (delivery.kind === "failed") {
      const { reason, isRetryable } = delivery;
      return { kind: "failed", message: reason, isRetryable, onGivenUp: () => giveUpMail(sql, mailId, reason) };
    }
    await closeMail(sql, mailId);
    return { kind: "done", message: "Delivered to the mail server" };
  };
}

type FoundMail = NonNullable<Awaited<ReturnType<typeof findMail>>> & { readonly mailId: string };

/** Over the workspace's own server, where the mail names its credentials; over the operator's otherwise. */
async function deliver(
  { sql, mailer, secrets, workspaceMailer }: MailParts,
  { mailId, content, workspaceId }: FoundMail,
): Promise<Delivery> {
  const { credentialsId } = content;
  if (workspaceId === null || !isId(credentialsId)) return mailer.send(content, mailId);
  const row = await credentialsRows.find(sql, { ownerId: workspaceId, key: credentialsId });
  if (row?.type !== "smtp") return failed("The workspace does not have these credentials of a mail server");
  const text = await secrets.open(row.sealed, credentialsPlace(credentialsId));
  const data = text === undefined ? undefined : parseJsonOr(text, undefined);
  if (!isJsonObject(data)) return failed("No key of this instance decrypts the credentials: enter them again");
  await noteUse(sql, { workspaceId, credentialsId });
  return workspaceMailer.send(data, content, mailId);
}

function failed(reason: string): Delivery {
  return { kind: "failed", reason, isRetryable: false };
}
