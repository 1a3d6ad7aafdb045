import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { GmailMail } from "../../core/interpreter/program/google.ts";
import { limits } from "../../limits/index.ts";
import { type GoogleContext, openGoogle } from "./google-call.ts";
import type { GoogleFailure, GoogleSession } from "./google-session.ts";

const gmail = "https://gmail.googleapis.com/gmail/v1/users/me";

type Wanted = { readonly credentialsId: string; readonly mail: GmailMail; readonly timeoutMs: number };
/** Reads the files of a chat. */
export type MailFiles = {
  read(
    address: string,
    options: { maxBytes: number },
  ): Promise<
    | { readonly bytes: Uint8Array; readonly type: string; readonly name: string }
    | { readonly problem: string }
    | undefined
  >;
};

type Sent = { readonly threadId: string; readonly notes: readonly string[] };
type Failed = { readonly failure: GoogleFailure };

/**
 * Sends a mail from a Google account. Gmail assigns its own Message-ID to each mail, so duplicates cannot be detected.
 * This function therefore does not repeat a request with an unknown outcome.
 */
export async function sendMail(
  { credentialsId, mail, timeoutMs }: Wanted,
  { files, ...context }: GoogleContext & { readonly files?: MailFiles },
): Promise<Sent | Failed> {
  const scope = `https://www.googleapis.com/auth/gmail.${mail.label === undefined ? "send" : "modify"}`;
  const session = await openGoogle({ type: "gmail", credentialsId, scope, timeoutMs }, context);
  if ("failure" in session) return session;
  const attachments = await readFiles(mail.attachments ?? [], files);
  if ("failure" in attachments) return attachments;
  const thread = mail.threadId === undefined ? undefined : await readThread(session, mail.threadId);
  const raw = await compose(mail, { thread, attachments: attachments.files });
  if (raw.byteLength > limits.mails.gmailBytes) {
    return fileFailure(`The mail is larger than ${limits.mails.gmailBytes / 1024 / 1024} MB`);
  }
  const sent = await session.call({
    url: `${gmail}/messages/send`,
    method: "POST",
    body: { raw: raw.toString("base64url"), ...(mail.threadId !== undefined && { threadId: mail.threadId }) },
    isRepeatable: false,
  });
  if ("failure" in sent) return sent;
  const [id, threadId] = [textAt(sent.body, "id"), textAt(sent.body, "threadId")];
  if (id === undefined || threadId === undefined) {
    return { failure: { reason: "unreadable", details: "Gmail's response has no id", isDoubtful: true } };
  }
  const note = mail.label === undefined ? undefined : await addLabel(session, { id, label: mail.label });
  return { threadId, notes: note === undefined ? [] : [note] };
}

function fileFailure(details: string): Failed {
  return { failure: { reason: "file", details } };
}

type MailFile = { readonly filename: string; readonly content: Buffer; readonly contentType: string };

async function readFiles(
  addresses: readonly string[],
  files: MailFiles | undefined,
): Promise<{ readonly files: readonly MailFile[] } | Failed> {
  const read: MailFile[] = [];
  for (const address of addresses) {
    const file = await files?.read(address, { maxBytes: limits.mails.gmailBytes });
    if (!file) return fileFailure("An attachment is not a file of this chat");
    if ("problem" in file) return fileFailure(`An attachment ${file.problem}`);
    read.push({ filename: file.name, content: Buffer.from(file.bytes), contentType: file.type });
  }
  return { files: read };
}

/** The headers that place a reply below the last mail of its thread. */
type Thread = { readonly messageId: string; readonly references: string; readonly subject: string };

/**
 * Reads the last mail of a thread. Returns undefined if the mail cannot be read, for example because the account may
 * only send mails. The new mail then has only the id of its thread.
 */
async function readThread(session: GoogleSession, threadId: string): Promise<Thread | undefined> {
  const names = ["Message-ID", "References", "Subject"].map((name) => `metadataHeaders=${name}`).join("&");
  const answer = await session.call({
    url: `${gmail}/threads/${encodeURIComponent(threadId)}?format=metadata&${names}`,
    method: "GET",
    isRepeatable: true,
  });
  const messages = "body" in answer ? valueAt(answer.body, "messages") : undefined;
  const headers = valueAt(Array.isArray(messages) ? messages.at(-1) : undefined, "payload", "headers");
  const header = (wanted: string): string => {
    const found = (Array.isArray(headers) ? headers : []).find(
      (one: unknown) => textAt(one, "name")?.toLowerCase() === wanted,
    );
    return textAt(found, "value") ?? "";
  };
  const messageId = header("message-id");
  if (messageId === "") return undefined;
  const references = `${header("references")} ${messageId}`.trim();
  return { messageId, references, subject: header("subject") };
}

async function compose(
  { to, from, replyTo, subject, body }: GmailMail,
  { thread, attachments }: { thread: Thread | undefined; attachments: readonly MailFile[] },
): Promise<Buffer> {
  const { createTransport } = await import("nodemailer");
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    to: [...to],
    ...(from !== undefined && { from }),
    ...(replyTo !== undefined && { replyTo }),
    // Gmail adds a mail to a thread only if the subjects match.
    subject: subject === "" && thread ? thread.subject : subject,
    ...body,
    ...(thread && { inReplyTo: thread.messageId, references: thread.references }),
    attachments: [...attachments],
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return Buffer.isBuffer(message) ? message : Buffer.alloc(0);
}

/** Adds a label to a mail. Returns a note if this fails. */
async function addLabel(
  session: GoogleSession,
  { id, label }: { id: string; label: string },
): Promise<string | undefined> {
  const answer = await session.call({ url: `${gmail}/labels`, method: "GET", isRepeatable: true });
  if ("failure" in answer) return notLabelled(answer.failure);
  const labels = valueAt(answer.body, "labels");
  const found = (Array.isArray(labels) ? labels : []).filter(isJsonObject).find(({ name }) => name === label);
  const labelId = textAt(found, "id");
  if (labelId === undefined) return `The account has no label "${label}": the mail was sent without it`;
  const added = await session.call({
    url: `${gmail}/messages/${encodeURIComponent(id)}/modify`,
    method: "POST",
    body: { addLabelIds: [labelId] },
    isRepeatable: true,
  });
  return "failure" in added ? notLabelled(added.failure) : undefined;
}

function notLabelled({ reason, details = reason }: GoogleFailure): string {
  return `The mail was sent without its label: ${details}`;
}
