import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { type BlockBase, defineIntegration } from "../../interpreter/program/block.ts";
import type { GmailMail } from "../../interpreter/program/google.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { escapedBody } from "../integrations/email-body.ts";
import { failedWith, logged } from "../logged.ts";
import { advanced, helped, marked, option, titled } from "../options.ts";
import { serviceFailureLog } from "../service-answer.ts";
import { leaveCall } from "../services/deferred.ts";

const action = "Send email";

const optionsSchema = Type.Object({
  action: titled(
    "Action",
    option.chosen(
      [action],
      "The action: `Send email`. Without an action, or with an unknown action, the block only adds a log entry.",
    ),
  ),
  credentialsId: titled(
    "Google account",
    option.credentials("Id of the workspace's credentials of the type `gmail`.", { credentialsType: "gmail" }),
  ),
  to: marked(
    { title: "Recipients", help: "Separate several addresses with commas." },
    option.text("Addresses of the recipients, separated by commas."),
  ),
  subject: option.text("Subject of the e-mail."),
  body: marked(
    { title: "Text", help: "Sent as HTML if it contains a tag." },
    option.longText(
      "Text of the e-mail. It is sent as HTML if it contains a tag; values of variables are then escaped.",
    ),
  ),
  from: advanced(
    helped(
      "Another address of the same account.",
      option.text("The sender, which must be an address of the account. Defaults to the account's own address."),
    ),
  ),
  replyTo: advanced(option.text("Address for replies.")),
  threadId: advanced(
    marked(
      { title: "Thread", help: "Id of the thread that you reply to." },
      option.text(
        "Id of the thread that the e-mail replies to. Without a subject, the e-mail gets the thread's subject.",
      ),
    ),
  ),
  label: advanced(
    helped(
      "A label of the account; Parley needs permission to change e-mails.",
      option.text(
        "Name of a label in the account for the e-mail. Requires an account that lets Parley change e-mails.",
      ),
    ),
  ),
  attachments: marked(
    { title: "Attachments", isAdvanced: true, help: "Files that the visitor uploaded in this chat." },
    option.readVariable(
      "Id of the variable that contains the URLs of attachments, which must be files that the visitor uploaded in this chat.",
    ),
  ),
  responseMapping: titled(
    "Save in variables",
    option.list("Values to save in variables. With at least one value, the e-mail is sent within the step.", {
      item: option.word(["Thread ID"], "Id of the e-mail's thread.", "Thread ID"),
      variableId: option.writtenVariable("Id of the variable to set."),
    }),
  ),
  failure: option.failure,
  timeout: advanced(
    helped(
      `In seconds, up to ${limits.sheets.mostSeconds}.`,
      option.number(
        `Maximum number of seconds to wait for Google, including pauses, up to ${limits.sheets.mostSeconds}.`,
        limits.sheets.seconds,
      ),
    ),
  ),
});

type Options = Static<typeof optionsSchema>;
type GmailBlock = BlockBase & { readonly options?: Options };

const context = "While sending a mail with Gmail";

export const gmail = defineIntegration({
  type: "gmail",
  summary:
    "Sends an e-mail from a Google account after the step, or within the step if a variable stores the thread's id or the e-mail has attachments or is large.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  run(block, view) {
    const { options = {} } = block;
    if (options.action !== action) return logged(block, { description: "gmail is not configured" });
    if (!view.isLive || view.resultId === null) {
      return logged(block, { status: "info", description: "Emails are not sent in preview mode" });
    }
    const mail = mailOf(options, view);
    if ("description" in mail) return failedWith(block, { ...mail, context });
    const credentialsId = options.credentialsId ?? "";
    // A mail that is too large for the queue is sent within the step.
    const isLarge = Buffer.byteLength(JSON.stringify(mail)) > limits.deferredCalls.bytes;
    const isNeeded = isLarge || threadVariables(options).length > 0 || mail.attachments !== undefined;
    if (!isNeeded) return leaveCall(block, { credentialsId, wanted: { content: mail }, name: "Gmail" }, view);
    const seconds = Math.min(Math.max(options.timeout ?? limits.sheets.seconds, 1), limits.sheets.mostSeconds);
    if (credentialsId === "") return failedWith(block, serviceFailureLog(block, { reason: "credentials" }, names));
    return { kind: "perform", effect: { kind: "gmail", credentialsId, mail, timeoutMs: seconds * 1_000 } };
  },
  report(block, _view, report) {
    if (report.kind === "refused") return logged(block, { status: "info", description: report.reason, context });
    if (report.kind !== "gmail") return failedWith(block, { description: "Email not sent", context });
    if ("failure" in report) return failedWith(block, serviceFailureLog(block, report.failure, names));
    return sent(block, report);
  },
  editor: {
    name: "Gmail",
    icon: "mails",
    words: ["e-mail", "mail", "google", "message"],
    row: ["{options.subject}", "{options.to}"],
    related: [],
  },
  examples: [
    {
      title: "The visitor does not notice that an e-mail is sent.",
      block: {
        options: {
          action,
          credentialsId: "ours",
          to: "team@example.com",
          subject: "A question of {{Name}}",
          body: "Hello",
        },
      },
      variables: { Name: "Ana" },
      expect: { messages: [], actions: [] },
    },
  ],
});

const names = { service: "Google", context };

function threadVariables({ responseMapping = [] }: Options): string[] {
  return responseMapping.flatMap(({ variableId }) => (variableId ? [variableId] : []));
}

function sent(block: GmailBlock, { threadId, notes = [] }: { threadId: string; notes?: readonly string[] }): Outcome {
  const writes = threadVariables(block.options ?? {}).map((variableId) => ({ variableId, value: threadId }));
  const logs: StepLog[] = [
    { status: "success", description: "Email successfully sent", context },
    ...notes.map((description) => ({ status: "info", description, context })),
  ];
  return { ...continueAfter(block), writes, logs };
}

function mailOf(options: Options, view: View): GmailMail | StepLog {
  const to = view
    .text(options.to)
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  if (to.length === 0) return { description: "The mail has no recipients" };
  if (to.length > limits.mails.recipients) {
    return { description: `A mail can have at most ${limits.mails.recipients} recipients` };
  }
  const value = (template: string | undefined): string | undefined => view.text(template).trim() || undefined;
  const { body = "" } = options;
  const [from, replyTo, threadId, label] = [
    value(options.from),
    value(options.replyTo),
    value(options.threadId),
    value(options.label),
  ];
  const attachments = attachmentsOf(options, view);
  return {
    to,
    subject: view.text(options.subject).trim(),
    body: /<[a-z][^>]*>/i.test(body) ? { html: escapedBody(body, view) } : { text: view.text(body) },
    ...(from !== undefined && { from }),
    ...(replyTo !== undefined && { replyTo }),
    ...(threadId !== undefined && { threadId }),
    ...(label !== undefined && { label }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** Returns the attachment addresses from a list or from comma-separated text. */
function attachmentsOf({ attachments: variableId }: Options, view: View): string[] {
  const held = variableId === undefined ? null : view.variables.get(variableId);
  const addresses = typeof held === "string" ? held.split(", ") : (held ?? []);
  return addresses.flatMap((address) => (address?.trim() ? [address.trim()] : []));
}
