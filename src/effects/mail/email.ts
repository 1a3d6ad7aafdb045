import { Readable } from "node:stream";
import type { Transporter } from "nodemailer";
import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { cleanText } from "../../core/interpreter/language/values.ts";
import type { Mail } from "../../core/interpreter/program/job.ts";
import { limits } from "../../limits/index.ts";
import { percentDecoded } from "../../platform/http/percent-decoded.ts";

export type Delivery =
  /** `refused`: recipients that the server has refused, while it accepted others. */
  | { readonly kind: "sent"; readonly refused?: readonly string[] }
  | {
      readonly kind: "failed";
      /** The reason without the password. It may quote the mail. */
      readonly reason: string;
      /**
       * The reason without the server's words and addresses, if it contains any: the queue keeps this text when the
       * mail's result is erased.
       */
      readonly outline?: string;
      /** The server may accept the same mail later. */
      readonly isRetryable: boolean;
      /** The server refuses user name and password. */
      readonly isLoginRefused?: true;
    };

/** A mail without its job and result. */
export type Letter = Omit<Mail, "credentialsId" | "resultId" | "botId" | "attachments"> & {
  readonly files?: readonly AttachedFile[];
};

/** An attachment, which is read while the mail is sent: a mail's files together do not have to fit into memory. */
export type AttachedFile = {
  readonly name: string;
  readonly type: string;
  readonly content: Blob | ReadableStream<Uint8Array>;
};

export type Mailer = {
  /** Sends a mail to the mail server. `id` becomes its Message-ID, by which a mail that is sent twice is recognised. */
  send(mail: Letter, id: string): Promise<Delivery>;
};

/**
 * Sends mails over the operator's server, as the operator's address.
 * Without a server or a sender nothing is sent.
 */
export function createMailer({ url, from }: { url: string | undefined; from: string | undefined }): Mailer {
  if (url === undefined) return failingMailer("There is no mail server: SMTP_URL is not set");
  const sender = senderOf(from ?? userOf(url));
  if (!sender) return failingMailer("There is no sender: SMTP_FROM is not set");
  let transport: Promise<Transporter> | undefined;
  return {
    async send(mail, id) {
      try {
        transport ??= openTransport(url);
        const sent: unknown = await (await transport).sendMail({
          ...messageOf(mail, { id, sender }),
          signal: AbortSignal.timeout(limits.mails.deliveryMs),
        });
        return sentTo(sent);
      } catch (error) {
        return failureOf(error, url);
      }
    },
  };
}

/** A server may accept a mail for some recipients and refuse others: the mail counts as sent, and is not sent again. */
export function sentTo(sent: unknown): Delivery {
  const rejected = valueAt(sent, "rejected");
  const refused = Array.isArray(rejected)
    ? rejected.map((one) => cleanText(textAt(one, "address") ?? String(one)))
    : [];
  return { kind: "sent", ...(refused.length > 0 && { refused }) };
}

/** Loads the library only now: this takes 30 ms of processor time, which a service that sends no mail saves. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    // A flow's text is always treated as text, never as the path or the address of a file.
    disableFileAccess: true,
    disableUrlAccess: true,
    maxRecipients: limits.mails.recipients,
  });
}

/** A mail as it is sent to a server. */
export function messageOf(
  { senderName, to, cc, bcc, areSingle, replyTo, subject, body, files = [] }: Letter,
  { id, sender }: { id: string; sender: { readonly name: string; readonly address: string } },
) {
  const recipient = (text: string) => (areSingle ? oneAddress(text) : text);
  return {
    from: { name: senderName ?? sender.name, address: sender.address },
    ...{ to: to.map(recipient), cc: cc.map(recipient), bcc: bcc.map(recipient) },
    ...(replyTo !== undefined && { replyTo }),
    subject,
    ...body,
    ...(files.length > 0 && { attachments: files.map(attachmentOf) }),
    messageId: `<${id}@${sender.address.split("@").at(-1)}>`,
  };
}

/** One recipient, even if its name contains a comma, which the library would read as the end of an address. */
function oneAddress(text: string): { name: string; address: string } {
  const [, name = "", address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  return { name: name.replaceAll('"', "").trim(), address: address.trim() };
}

function attachmentOf({ name, type, content }: AttachedFile) {
  const stream = content instanceof Blob ? content.stream() : content;
  return { filename: name, contentType: type, content: Readable.from(stream) };
}

/** Signs in to a mail server and disconnects. Returns the failure, without the password; undefined if it succeeded. */
export async function checkMailServer(url: string): Promise<string | undefined> {
  const transport = await openTransport(url);
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return withoutPassword(error instanceof Error ? error.message : String(error), url);
  } finally {
    transport.close();
  }
}

function failingMailer(reason: string): Mailer {
  return { send: async () => ({ kind: "failed", reason, isRetryable: false }) };
}

/** Reads `bots@example.com` and `Bots <bots@example.com>`. */
function senderOf(text: string | undefined): { name: string; address: string } | undefined {
  const [, name = "", address] = /^(?:"?([^"<>]*?)"?\s*<)?([^<>\s]+@[^<>\s]+?)>?$/.exec(text ?? "") ?? [];
  return address === undefined ? undefined : { name, address };
}

function userOf(url: string): string | undefined {
  return percentDecoded(URL.parse(url)?.username ?? "") || undefined;
}

/** A server's refusal is final, except for a wrong password, which the operator will correct. */
export function failureOf(error: unknown, url: string): Extract<Delivery, { kind: "failed" }> {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? error.code : undefined;
  const isRefusal = "permanent" in error ? error.permanent === true : code === "EENVELOPE" || code === "EMAXRECIPIENTS";
  const isLoginRefused = code === "EAUTH";
  const isRetryable = !isRefusal || isLoginRefused;
  const reason = withoutPassword(error.message, url);
  const outline = outlineOf(error);
  return {
    ...{ kind: "failed", reason, isRetryable },
    ...(outline !== undefined && { outline }),
    ...(isLoginRefused && { isLoginRefused }),
  };
}

function outlineOf(error: Error): string | undefined {
  if ("responseCode" in error) {
    return `The mail server answered ${error.responseCode}${"command" in error ? ` to ${error.command}` : ""}`;
  }
  return "code" in error && error.code === "EENVELOPE" ? "The mail has an address that mails cannot have" : undefined;
}

function withoutPassword(text: string, url: string): string {
  const password = URL.parse(url)?.password ?? "";
  if (password === "") return cleanText(text);
  return cleanText(text).replaceAll(password, "***").replaceAll(percentDecoded(password), "***");
}
