import { Readable } from "node:stream";
import type { Transporter } from "nodemailer";
import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { cleanText } from "../../core/interpreter/language/values.ts";
import type { Mail } from "../../core/interpreter/program/job.ts";
import { limits } from "../../limits/index.ts";
import { percentDecoded } from "../../platform/http/percent-decoded.ts";

export type Delivery =
  /** The mail was sent. `refused`: recipients that the server rejected, although it accepted others. */
  | { readonly kind: "sent"; readonly refused?: readonly string[] }
  | {
      readonly kind: "failed";
      /** The reason, which may quote the mail but never contains the password. */
      readonly reason: string;
      /**
       * The reason without the server's message and without addresses. Absent if `reason` contains neither. The queue
       * keeps this text when the mail's result is erased.
       */
      readonly outline?: string;
      /** Whether the server may accept the same mail later. */
      readonly isRetryable: boolean;
      /** Whether the server rejected the user name and password. */
      readonly isLoginRefused?: true;
    };

/** A mail without its job and result, with the content of its attachments. */
export type Letter = Omit<Mail, "credentialsId" | "resultId" | "botId" | "attachments"> & {
  readonly files?: readonly AttachedFile[];
};

/** An attachment that is read while the mail is sent, so that all files of a mail together need not fit into memory. */
export type AttachedFile = {
  readonly name: string;
  readonly type: string;
  readonly content: Blob | ReadableStream<Uint8Array>;
};

export type Mailer = {
  /** Sends a mail to the mail server. `id` becomes the Message-ID, by which duplicates are detected. */
  send(mail: Letter, id: string): Promise<Delivery>;
};

/**
 * Creates a mailer that uses the operator's server and address. Without a server or a sender address, every mail fails.
 */
export function createMailer({ url, from }: { url: string | undefined; from: string | undefined }): Mailer {
  if (url === undefined) return failingMailer("E-mail cannot be sent: SMTP_URL is not set");
  const sender = senderOf(from ?? userOf(url));
  if (!sender) return failingMailer("E-mail cannot be sent: SMTP_FROM is not set");
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

/**
 * Returns the outcome of an accepted mail. A server may accept a mail for some recipients and reject others. Such a
 * mail is reported as sent and is not sent again.
 */
export function sentTo(sent: unknown): Delivery {
  const rejected = valueAt(sent, "rejected");
  const refused = Array.isArray(rejected)
    ? rejected.map((one) => cleanText(textAt(one, "address") ?? String(one)))
    : [];
  return { kind: "sent", ...(refused.length > 0 && { refused }) };
}

/**
 * Creates a mail transport. The library is loaded on first use because loading takes 30 ms of processor time, which is
 * unnecessary for a service that sends no mail.
 */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    // A flow's text is always treated as text and never as the path or URL of a file.
    disableFileAccess: true,
    disableUrlAccess: true,
    maxRecipients: limits.mails.recipients,
  });
}

/** Converts a mail to the format of the mail library. */
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

/**
 * Parses a single recipient, whose name may contain a comma. The library would treat the comma as the end of an
 * address.
 */
function oneAddress(text: string): { name: string; address: string } {
  const [, name = "", address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  return { name: name.replaceAll('"', "").trim(), address: address.trim() };
}

function attachmentOf({ name, type, content }: AttachedFile) {
  const stream = content instanceof Blob ? content.stream() : content;
  return { filename: name, contentType: type, content: Readable.from(stream) };
}

/**
 * Signs in to a mail server and disconnects. Returns the error without the password, or undefined if the login
 * succeeded.
 */
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

/** Parses `bots@example.com` and `Bots <bots@example.com>`. Returns undefined for any other text. */
function senderOf(text: string | undefined): { name: string; address: string } | undefined {
  const [, name = "", address] = /^(?:"?([^"<>]*?)"?\s*<)?([^<>\s]+@[^<>\s]+?)>?$/.exec(text ?? "") ?? [];
  return address === undefined ? undefined : { name, address };
}

function userOf(url: string): string | undefined {
  return percentDecoded(URL.parse(url)?.username ?? "") || undefined;
}

/**
 * Converts an error to a failed delivery. A permanent rejection is not retried, except for a rejected login, which can
 * be corrected.
 */
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
    return `The mail server responded with ${error.responseCode}${"command" in error ? ` to ${error.command}` : ""}`;
  }
  return "code" in error && error.code === "EENVELOPE" ? "The mail has an invalid address" : undefined;
}

function withoutPassword(text: string, url: string): string {
  const password = URL.parse(url)?.password ?? "";
  if (password === "") return cleanText(text);
  return cleanText(text).replaceAll(password, "***").replaceAll(percentDecoded(password), "***");
}
