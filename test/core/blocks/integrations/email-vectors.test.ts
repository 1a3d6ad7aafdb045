import { expect, test } from "bun:test";
import { mailsOf } from "../../../../src/core/interpreter/program/job.ts";
import { chatWith } from "../logic-flow.ts";
import vectors from "./email-vectors.json";

test.each(vectors.bodies)("the body of a mail is built as documented: $is", ({ options, body }) => {
  expect(mailOf(options)?.body).toEqual(body);
});

test.each(vectors.senders)("a mail with the reply address $replyTo has the sender name $name", ({ replyTo, name }) => {
  expect(mailOf({ replyTo })?.senderName ?? null).toBe(name);
});

function mailOf(options: object) {
  const all = { credentialsId: "default", recipients: ["team@example.com"], ...options };
  const groups = { g1: [{ id: "mail", type: "Email", options: all }] };
  return mailsOf(chatWith({ groups, variables: vectors.variables }, { resultId: "r" }).start.jobs)[0];
}
