import { afterAll, beforeEach, expect, test } from "bun:test";
import type { GmailMail } from "../../../src/core/interpreter/program/google.ts";
import { gmailMails } from "../../../src/effects/deferred/gmail.ts";
import { sendMail } from "../../../src/effects/google/send-mail.ts";
import { ownClient, person } from "../../fake-providers/google/accounts.ts";
import { createGoogleWorld } from "./google-world.ts";

const account = {
  refreshToken: person.refreshToken,
  clientId: ownClient.id,
  clientSecret: ownClient.secret,
  account: person.account,
};
const world = await createGoogleWorld(account);
afterAll(world.close);
const { fake, context } = world;
const { mails } = fake.mailbox;

const hello: GmailMail = { to: ["bob@example.com"], subject: "Hello", body: { text: "How are you?" } };
const file = { bytes: new TextEncoder().encode("the plan"), type: "text/plain", name: "plan.txt" };
const files = { read: async (address: string) => (address === "ours" ? file : undefined) };

function send(mail: Partial<GmailMail> = {}) {
  const wanted = { credentialsId: "ours", mail: { ...hello, ...mail }, timeoutMs: 60_000 };
  return sendMail(wanted, { ...context, files });
}

beforeEach(() => fake.recover());

test("a mail is sent with its headers and text, and its thread id is returned", async () => {
  const sent = await send({ from: "Ana <ana@example.com>", replyTo: "team@example.com" });
  expect(sent).toEqual({ threadId: mails.at(-1)?.threadId ?? "", notes: [] });
  expect(mails.at(-1)?.headers).toMatchObject({
    to: "bob@example.com",
    from: "Ana <ana@example.com>",
    "reply-to": "team@example.com",
    subject: "Hello",
  });
  expect(mails.at(-1)?.source).toContain("How are you?");
});

test("a mail without a subject gets the subject of its thread", async () => {
  const first = await send();
  if ("failure" in first) throw new Error("It was not sent");
  const { messageId } = mails.at(-1) ?? {};
  expect(await send({ threadId: first.threadId, subject: "" })).toMatchObject({ threadId: first.threadId });
  expect(mails.at(-1)?.headers).toMatchObject({
    subject: "Hello",
    "in-reply-to": messageId ?? "",
    references: messageId ?? "",
  });
});

test("a mail is still sent if its thread cannot be read", async () => {
  const first = await send();
  if ("failure" in first) throw new Error("It was not sent");
  fake.failAt("/threads/", "403");
  expect(await send({ threadId: first.threadId })).toMatchObject({ threadId: first.threadId });
  expect(mails.at(-1)?.headers).not.toHaveProperty("in-reply-to");
});

test("a mail gets its label, and a note reports a missing label", async () => {
  expect(await send({ label: "Leads" })).toMatchObject({ notes: [] });
  expect(mails.at(-1)?.labelIds).toEqual(["SENT", "Label_1"]);
  expect(await send({ label: "Nowhere" })).toMatchObject({
    notes: ['The account has no label "Nowhere": the mail was sent without it'],
  });
});

test("only a file of the chat can be attached to a mail", async () => {
  await send({ attachments: ["ours"] });
  expect(mails.at(-1)?.source).toContain("filename=plan.txt");
  const before = mails.length;
  expect(await send({ attachments: ["https://elsewhere.example/a.txt"] })).toEqual({
    failure: { reason: "file", details: "An attachment is not a file of this chat" },
  });
  expect(mails).toHaveLength(before);
});

test("a mail with a text of 8 MB fails", async () => {
  expect(await send({ body: { text: "x".repeat(8 * 1024 * 1024) } })).toMatchObject({ failure: { reason: "file" } });
});

test("a mail with an unknown outcome is not sent again", async () => {
  const before = mails.length;
  fake.failAt("/send", { fault: "503", isDone: true });
  expect(await send()).toMatchObject({ failure: { status: 503 } });
  expect(mails).toHaveLength(before + 1);
  fake.failAt("/send", "429");
  expect(await send()).toHaveProperty("threadId");
  expect(mails).toHaveLength(before + 2);
});

test("a line break in a header adds no header", async () => {
  await send({ subject: "Hello\r\nBcc: eve@example.com", replyTo: "a@b.co\r\nBcc: eve@example.com" });
  expect(mails.at(-1)?.headers).not.toHaveProperty("bcc");
});

test("deferred mails are sent even if the first one fails", async () => {
  const content = { ...hello };
  const calls = ["one", "two", "three"].map((id) => ({ id, content, isRepeated: false }));
  fake.failAt("/send", "404");
  const { google, safeFetch, providers } = context;
  const credentials = { credentials: account, credentialsId: "ours", workspaceId: "w" };
  const ends = await gmailMails.deliver(calls, { google, safeFetch, providers, ...credentials });
  expect(ends.map(({ kind, description }) => [kind, description])).toEqual([
    ["failed", "Email not sent"],
    ["sent", "Email successfully sent"],
    ["sent", "Email successfully sent"],
  ]);
  expect(JSON.stringify(ends)).not.toContain("planted");
});
