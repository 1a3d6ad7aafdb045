import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Mailer } from "../../effects/email.ts";
import type { Sql } from "../../store/database/sql.ts";
import { closeMail, findMail, giveUpMail } from "../../store/jobs/mails.ts";
import type { OutboxRow } from "../../store/jobs/outbox.ts";
import type { Handler } from "../workers.ts";

/** The job of a mail: only its ids, and nothing that anybody wrote. */
const MailJob = Type.Object({ mailId: Type.String(), botId: Type.String() });
type MailJob = Static<typeof MailJob>;

/** The job of a mail that lies in the outbox. */
export function mailJob({ id, data }: OutboxRow): MailJob {
  return { mailId: id, botId: data.botId };
}

/**
 * Delivers mails, each at least once and always under the same Message-ID, or gives them up after their retries; either way their
 * result's log says so once. A mail whose result was erased is not sent.
 */
export function deliverMails({ sql, mailer }: { sql: Sql; mailer: Mailer }): Handler {
  return async ({ data }) => {
    const { mailId } = Value.Parse(MailJob, data);
    const mail = await findMail(sql, mailId);
    if (!mail) {
      // The relay may have stored it while its result was being erased: its content must not stay.
      await closeMail(sql, mailId);
      return { kind: "done", message: "Nothing is left to send: it was delivered before, or its result was erased" };
    }
    const delivery = await mailer.send(mail, mailId);
    if (delivery.kind === "failed") {
      const { reason, isRetryable } = delivery;
      return { kind: "failed", message: reason, isRetryable, onGivenUp: () => giveUpMail(sql, mailId, reason) };
    }
    await closeMail(sql, mailId);
    return { kind: "done", message: "Delivered to the mail server" };
  };
}
