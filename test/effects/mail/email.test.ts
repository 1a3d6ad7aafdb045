import { afterEach, expect, test } from "bun:test";
import type { Mail } from "../../../src/core/interpreter/program/job.ts";
import { createMailer, type Mailer } from "../../../src/effects/mail/email.ts";
import { limits } from "../../../src/limits/index.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";

const servers: MailServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function mailing(
  options: { from?: string; replyTo?: (command: string) => string | undefined } = {},
): Promise<{ mailer: Mailer; server: MailServer }> {
  const server = await startMailServer(options);
  servers.push(server);
  const url = `smtp://bots%40example.com:se%2Fcret@127.0.0.1:${server.port}`;
  return { server, mailer: createMailer({ url, from: options.from }) };
}

const mail: Mail = {
  credentialsId: "default",
  to: ["ana@example.com", "Ben <ben@example.com>, cleo@example.com"],
  cc: ["dora@example.com"],
  bcc: ["eve@example.com"],
  subject: "Grüße",
  body: { text: "Hello\n.\nfriend & <foe>" },
  resultId: "result",
  botId: "bot",
};

test("a mail to several recipients has the operator's sender and its own message id", async () => {
  const { mailer, server } = await mailing({ from: "Our bots <bots@example.com>" });

  expect(await mailer.send(mail, "06abc")).toEqual({ kind: "sent" });

  const everybody = ["ana", "ben", "cleo", "dora", "eve"].map((name) => `${name}@example.com`);
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toMatchObject({ from: "bots@example.com", login: "\0bots@example.com\0se/cret" });
  expect(server.mails[0]?.to.toSorted()).toEqual(everybody);
  expect(server.mails[0]?.text).toBe("Hello\n.\nfriend & <foe>");
  const { headers = {} } = server.mails[0] ?? {};
  expect(headers).toMatchObject({
    from: "Our bots <bots@example.com>",
    to: "ana@example.com, Ben <ben@example.com>, cleo@example.com",
    cc: "dora@example.com",
    subject: "=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=",
    "message-id": "<06abc@example.com>",
    "content-type": "text/plain; charset=utf-8",
  });
  expect(headers["bcc"]).toBeUndefined();
});

test("recipients that the server refuses are reported", async () => {
  const { mailer, server } = await mailing({
    replyTo: (command) => (/RCPT.*(?:ben|eve)@/.test(command) ? "550 no such user" : undefined),
  });

  expect(await mailer.send(mail, "06abc")).toEqual({ kind: "sent", refused: ["ben@example.com", "eve@example.com"] });
  expect(server.mails[0]?.to).toEqual(["ana@example.com", "cleo@example.com", "dora@example.com"]);
});

test("a single recipient with a comma is not split into several addresses", async () => {
  const { mailer, server } = await mailing({
    replyTo: (command) => (/RCPT.*[,;]/.test(command) ? "501 no address" : undefined),
  });
  const to = ["ana@example.com", "ben@example.com, cleo@example.com", "Doe, Dora <dora@example.com>"];

  expect(await mailer.send({ ...mail, to, cc: [], bcc: [], areSingle: true }, "1")).toEqual({
    kind: "sent",
    refused: ['"ben@example.com, cleo"@example.com'],
  });
  expect(server.mails[0]?.to).toEqual(["ana@example.com", "dora@example.com"]);
  expect(server.mails[0]?.headers["to"]).toContain('"Doe, Dora" <dora@example.com>');
});

test("a mail can have HTML content, a sender name and a reply address", async () => {
  const { mailer, server } = await mailing();

  await mailer.send(
    { ...mail, senderName: "Ana A.", replyTo: "Ana A. <ana@example.com>", body: { html: "<b>x</b>" } },
    "1",
  );

  expect(server.mails[0]?.headers).toMatchObject({
    from: '"Ana A." <bots@example.com>',
    "reply-to": '"Ana A." <ana@example.com>',
    "content-type": "text/html; charset=utf-8",
  });
  expect(server.mails[0]?.text).toBe("<b>x</b>");
});

test("line breaks in a mail's header values add no Bcc header", async () => {
  const { mailer, server } = await mailing();
  const sneaky = "x\r\nBcc: spy@example.com\r\n\r\nBody";

  await mailer.send({ ...mail, senderName: sneaky, subject: sneaky, replyTo: `<a@example.com>${sneaky}` }, "1");

  expect(server.mails[0]?.to).not.toContain("spy@example.com");
  expect(Object.keys(server.mails[0]?.headers ?? {})).not.toContain("bcc");
});

test.each([
  ["451 try later", true, "RCPT TO"],
  ["421 closing", true, "CONN"],
  ["552 full for good", false, "RCPT TO"],
  ["550 no such user", false, "RCPT TO"],
])("a mail to which the server responds with %p can be retried: %p", async (line, isRetryable, command) => {
  const { mailer } = await mailing({ replyTo: (asked) => (asked.startsWith("RCPT") ? line : undefined) });

  expect(await mailer.send(mail, "1")).toEqual({
    kind: "failed",
    reason: expect.stringContaining(line.slice(4)),
    // The queue stores this text instead of the server's message, which may quote the mail.
    outline: `The mail server responded with ${line.slice(0, 3)} to ${command}`,
    isRetryable,
  });
});

test("a rejected password is a retryable failure", async () => {
  const { mailer } = await mailing({
    replyTo: (command) => (command.startsWith("AUTH") ? "535 wrong password se/cret (se%2Fcret)" : undefined),
  });

  const delivery = await mailer.send(mail, "1");

  expect(delivery).toMatchObject({
    kind: "failed",
    isRetryable: true,
    reason: expect.stringContaining("wrong password"),
  });
  expect(JSON.stringify(delivery)).not.toContain("cret");
});

test("a mail to an unreachable server can be retried", async () => {
  const { mailer, server } = await mailing();
  await server.close();

  const delivery = await mailer.send(mail, "1");
  expect(delivery).toMatchObject({ kind: "failed", isRetryable: true });
  expect(delivery).not.toHaveProperty("outline");
});

test("a mail with an invalid address or too many recipients cannot be retried", async () => {
  const { mailer, server } = await mailing();
  const many = Array.from({ length: limits.mails.recipients + 1 }, (_, index) => `a${index}@example.com`);

  const nobody = await mailer.send({ ...mail, to: ["nobody"], cc: [], bcc: [] }, "1");
  const all = await mailer.send({ ...mail, to: [many.join(", ")], cc: [], bcc: [] }, "2");

  const outline = "The mail has an invalid address";
  expect(nobody).toMatchObject({ kind: "failed", outline, isRetryable: false });
  expect(all).toMatchObject({ kind: "failed", isRetryable: false });
  expect(server.mails).toHaveLength(0);
});

test.each([
  [{ url: undefined, from: "bots@example.com" }, "E-mail cannot be sent: SMTP_URL is not set"],
  [{ url: "smtp://127.0.0.1:1", from: undefined }, "E-mail cannot be sent: SMTP_FROM is not set"],
  [{ url: "smtp://bots:secret@127.0.0.1:1", from: undefined }, "E-mail cannot be sent: SMTP_FROM is not set"],
])("a mail is not sent with the settings %p", async (settings, reason) => {
  expect(await createMailer(settings).send(mail, "1")).toEqual({ kind: "failed", reason, isRetryable: false });
});
