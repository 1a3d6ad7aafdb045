import type { Answer, Asked } from "../kit.ts";
import type { Grant } from "./accounts.ts";
import { problem } from "./wire.ts";

/** A mail as stored by Gmail, which assigns a new Message-ID. */
export type KeptMail = {
  readonly id: string;
  readonly threadId: string;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly source: string;
  labelIds: readonly string[];
};

export type Mailbox = {
  readonly mails: readonly KeptMail[];
  answer(asked: Asked, grant: Grant): Answer | undefined;
};

const scopeStart = "https://www.googleapis.com/auth/gmail.";

/** Creates a Gmail mailbox, based on https://developers.google.com/workspace/gmail/api/reference/rest. */
export function createMailbox(): Mailbox {
  const mails: KeptMail[] = [];
  const labels = [
    { id: "INBOX", name: "INBOX" },
    { id: "Label_1", name: "Leads" },
  ];

  const send = (body: Readonly<Record<string, unknown>>): Answer => {
    const source = Buffer.from(String(body["raw"] ?? ""), "base64url").toString();
    const headers = headersIn(source);
    if (!headers["to"]) return problem(400, "INVALID_ARGUMENT", "Recipient address required");
    const asked = body["threadId"];
    const thread = mails.find(({ threadId }) => threadId === asked);
    if (asked !== undefined && !thread) return problem(404, "NOT_FOUND", "Requested entity was not found.");
    const id = `mail-${mails.length + 1}`;
    const threadId = thread?.threadId ?? id;
    mails.push({ id, threadId, messageId: `<${id}@mail.gmail.com>`, headers, source, labelIds: ["SENT"] });
    return { status: 200, json: { id, threadId, labelIds: ["SENT"] } };
  };

  const showThread = (id: string): Answer => {
    const messages = mails.filter(({ threadId }) => threadId === id);
    if (messages.length === 0) return problem(404, "NOT_FOUND", "Requested entity was not found.");
    const shown = messages.map(({ id: mailId, threadId, messageId, headers }) => ({
      id: mailId,
      threadId,
      payload: {
        headers: [
          { name: "Message-ID", value: messageId },
          { name: "Subject", value: headers["subject"] ?? "" },
          ...(headers["references"] ? [{ name: "References", value: headers["references"] }] : []),
        ],
      },
    }));
    return { status: 200, json: { id, messages: shown } };
  };

  return {
    mails,
    answer({ path: whole, method, json }, { scope }) {
      const [, path] = /^\/gmail\/v1\/users\/me\/(.+)$/.exec(whole) ?? [];
      if (path === undefined) return undefined;
      const has = (name: string): boolean => scope.split(" ").includes(`${scopeStart}${name}`);
      const isAllowed = has("modify") || (path === "messages/send" && has("send"));
      if (!isAllowed) return problem(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.");
      if (method === "POST" && path === "messages/send") return send(json);
      if (method === "GET" && path === "labels") return { status: 200, json: { labels } };
      const [, threadId] = /^threads\/(.+)$/.exec(path) ?? [];
      if (method === "GET" && threadId !== undefined) return showThread(threadId);
      const [, mailId] = /^messages\/([^/]+)\/modify$/.exec(path) ?? [];
      const mail = mails.find(({ id }) => id === mailId);
      if (method !== "POST" || !mail) return problem(404, "NOT_FOUND", "Requested entity was not found.");
      const { addLabelIds } = json;
      mail.labelIds = [...mail.labelIds, ...(Array.isArray(addLabelIds) ? addLabelIds.map(String) : [])];
      return { status: 200, json: { id: mail.id, labelIds: mail.labelIds } };
    },
  };
}

function headersIn(source: string): Record<string, string> {
  const head = source.split(/\r?\n\r?\n/)[0] ?? "";
  const lines = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return Object.fromEntries(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
}
