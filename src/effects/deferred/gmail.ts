import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import type { GmailMail } from "../../core/interpreter/program/google.ts";
import { limits } from "../../limits/index.ts";
import { sendMail } from "../google/send-mail.ts";
import { noHops } from "../safe-fetch/hops.ts";
import type { CallEnd, DeferredService, DeferredWorld } from "./deferred-service.ts";

/** Sends deferred mails from Google accounts one by one. */
export const gmailMails: DeferredService = {
  type: "gmail",
  context: "While sending a mail with Gmail",
  async deliver(calls, world) {
    const ends: CallEnd[] = [];
    for (const { content } of calls) ends.push(await deliverOne(mailIn(content), world));
    return ends;
  },
};

async function deliverOne(
  mail: GmailMail,
  { credentials: data, credentialsId, workspaceId, google, safeFetch, providers }: DeferredWorld,
): Promise<CallEnd> {
  const timeoutMs = limits.deferredCalls.deliveryMs;
  const sent = await sendMail(
    { credentialsId, mail, timeoutMs },
    {
      ...{ google, safeFetch, providers, timeLeftMs: timeoutMs },
      hops: { ...noHops, workspaceId },
      credentials: { find: async () => data, noteUse: async () => {} },
    },
  );
  if (!("failure" in sent)) {
    return { kind: "sent", description: ["Email successfully sent", ...sent.notes].join(". ") };
  }
  const { reason, status, details = reason } = sent.failure;
  return {
    kind: "failed",
    description: "Email not sent",
    reason: details,
    isRetryable: status !== 400 && reason !== "file",
    failure: reason === "credentials" ? "credentials" : `http.${status ?? "unanswered"}`,
  };
}

function mailIn(content: unknown): GmailMail {
  const to = valueAt(content, "to");
  const [from, replyTo] = [textAt(content, "from"), textAt(content, "replyTo")];
  const [threadId, label, html] = [
    textAt(content, "threadId"),
    textAt(content, "label"),
    textAt(content, "body", "html"),
  ];
  return {
    to: Array.isArray(to) ? to.map(String) : [],
    subject: textAt(content, "subject") ?? "",
    body: html === undefined ? { text: textAt(content, "body", "text") ?? "" } : { html },
    ...(from !== undefined && { from }),
    ...(replyTo !== undefined && { replyTo }),
    ...(threadId !== undefined && { threadId }),
    ...(label !== undefined && { label }),
  };
}
