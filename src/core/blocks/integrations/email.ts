import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { textAt, valueAt } from "../../interpreter/flow.ts";
import { fileNameInPath } from "../../interpreter/language/file-address.ts";
import type { Value } from "../../interpreter/language/values.ts";
import { defineIntegration } from "../../interpreter/program/block.ts";
import { type Mail, mailsOf } from "../../interpreter/program/job.ts";
import { continueAfter, type StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { logged } from "../logged.ts";
import { advanced, helped, marked, option, titled } from "../options.ts";
import { customBody, defaultBody, escapedBody } from "./email-body.ts";
import examples from "./examples.json";

const optionsSchema = Type.Object({
  credentialsId: titled(
    "Mail server",
    option.credentials(
      "Id of the workspace's credentials of the type `smtp`; `default` means the operator's mail server. Without credentials, nothing is sent.",
      { credentialsType: "smtp" },
    ),
  ),
  recipients: option.texts("The recipients of the e-mail. Without recipients, nothing is sent."),
  cc: advanced(titled("Copy to", option.texts("Recipients of a copy."))),
  bcc: advanced(titled("Hidden copy to", option.texts("Recipients of a hidden copy."))),
  replyTo: advanced(
    helped(
      "`Ana <ana@example.com>` also sets the sender's name.",
      option.text("Address for replies. `Name <address>` also sets the sender's name."),
    ),
  ),
  subject: option.text("Subject of the e-mail."),
  body: titled("Text", option.longText("Text of the e-mail.")),
  isCustomBody: Type.Optional(
    Type.Boolean({
      title: "Send the text above",
      isAdvanced: true,
      description:
        "Whether `body` is sent. Otherwise the e-mail lists all answers and variables. Defaults to true if there is a `body`.",
      help: "Without a text, the e-mail lists all answers and variables.",
    }),
  ),
  isBodyCode: advanced(titled("The text is HTML", option.flag("Whether `body` is HTML. Otherwise it is plain text."))),
  isEscaped: marked(
    {
      title: "Values are plain text",
      isAdvanced: true,
      shownWhen: { isBodyCode: [true] },
      help: "Otherwise visitors' answers can add HTML to the e-mail.",
    },
    option.flag(
      "Whether values are escaped when they are inserted into an HTML body. Otherwise they are HTML, even if a visitor wrote them.",
    ),
  ),
  attachmentsVariableId: marked(
    { title: "Attachments", isAdvanced: true, help: "Files that visitors uploaded to this bot." },
    option.readVariable(
      "Id of the variable that contains the URLs of attachments: files of the same result, or public files that visitors uploaded to this bot.",
    ),
  ),
});

type Options = Static<typeof optionsSchema>;

const context = "While sending email";

export const email = defineIntegration({
  type: "Email",
  summary: "Sends an e-mail after the step is saved. The result's log contains the outcome.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  advice({ options = {} }) {
    const { body = "", isBodyCode, isEscaped } = options;
    if (!isBodyCode || isEscaped !== undefined || !body.includes("{{")) return undefined;
    return "This e-mail contains visitors' text as HTML. Set isEscaped to true to show it as text, or to false to keep it as HTML.";
  },
  callsOut: () => ({ writes: false, isMail: true }),
  listsAnswers: ({ options }) => !(valueAt(options, "isCustomBody") ?? Boolean(textAt(options, "body"))),
  run(block, view) {
    const { options = {} } = block;
    const { resultId } = view;
    if (!view.isLive || resultId === null) {
      return logged(block, { status: "info", description: "Emails are not sent in preview mode" });
    }
    if (!options.recipients || options.recipients.length === 0) return continueAfter(block);
    const mail = mailOf(options, resultId, view);
    if ("description" in mail) return logged(block, { ...mail, context });
    const problem = problemOf(mail, view);
    if (problem) return logged(block, { ...problem, context });
    return { ...continueAfter(block), jobs: [{ queue: "email", data: mail }] };
  },
  editor: {
    name: "Send email",
    icon: "mail",
    words: ["e-mail", "mail", "smtp", "notify", "message"],
    row: ["{options.subject}", "{options.recipients}"],
    form: [
      cells("options.recipients"),
      cells("options.subject"),
      cells("options.body"),
      cells("options.credentialsId"),
      { cells: [{ widget: "sendOne" }] },
    ],
    related: [],
  },
  examples: examples["Email"],
});

function mailOf(options: Options, resultId: string, view: View): Mail | StepLog {
  const { credentialsId, recipients = [], cc = [], bcc = [], attachmentsVariableId } = options;
  if (!credentialsId) {
    const description = "No credentials found, make sure to configure your SMTP provider properly";
    return { description, reason: "credentials" };
  }
  const attachments = attachmentsVariableId === undefined ? [] : addressesIn(view.variables.get(attachmentsVariableId));
  const names = attachments.map(fileNameInPath).filter((name) => name !== undefined);
  if (names.length < attachments.length) return { description: "Invalid email attachment URL" };
  if (names.length > limits.mails.attachments) {
    return { description: "Email not sent", details: `The mail has more than ${limits.mails.attachments} attachments` };
  }
  // Commas and semicolons that the author wrote separate addresses. Commas and semicolons in a variable's value do not.
  const addresses = (templates: readonly string[]): string[] =>
    templates
      .flatMap(splitAtCommas)
      .map((template) => view.text(template).trim())
      .filter((address) => address !== "");
  const replyTo = view.text(options.replyTo).trim();
  const senderName = nameIn(replyTo);
  return {
    credentialsId,
    ...(senderName !== "" && { senderName }),
    to: addresses(recipients),
    cc: addresses(cc),
    bcc: addresses(bcc),
    areSingle: true,
    ...(replyTo !== "" && { replyTo }),
    subject: view.text(options.subject),
    body: bodyOf(options, view),
    ...(names.length > 0 && { attachments: names }),
    resultId,
    botId: view.program.botId,
  };
}

/** Splits a template at commas and semicolons, except inside variable references and quotes. */
function splitAtCommas(template: string): string[] {
  return template.match(/(?:\{\{=.*?=\}\}|\{\{.*?\}\}|"[^"]*"|[^,;])+/gs) ?? [];
}

/** Returns the addresses in a file variable, which contains a list or comma-separated text. */
function addressesIn(value: Value): string[] {
  const texts = typeof value === "string" ? value.split(", ") : (value ?? []);
  return texts.flatMap((text) => (text === null || text.trim() === "" ? [] : [text.trim()]));
}

function problemOf(mail: Mail, view: View): StepLog | undefined {
  if (mail.to.length === 0)
    return { description: "Email not sent", details: "The mail has no recipient", isPrivate: true };
  const mails = mailsOf(view.soFar.jobs);
  if (mails.length >= limits.mails.perStep) {
    return { description: `Attempt to send more than ${limits.mails.perStep} emails` };
  }
  const isRepeated = JSON.stringify(mails.at(-1)) === JSON.stringify(mail);
  return isRepeated ? { description: "Attempt to send the same email twice" } : undefined;
}

function bodyOf({ body = "", isCustomBody = body !== "", ...options }: Options, view: View): Mail["body"] {
  const { isBodyCode = false, isEscaped = false } = options;
  if (!isCustomBody) return { html: defaultBody(view) };
  if (isBodyCode && isEscaped) return { html: escapedBody(body, view) };
  const written = customBody(body, { isCode: isBodyCode }, view);
  return isBodyCode ? { html: written } : { text: written };
}

/** Returns the name part of `Name <address>` without quotes, or an empty text if there is no name. */
function nameIn(replyTo: string): string {
  const [, name = ""] = /^([^<]+)<[^<>]+>$/.exec(replyTo) ?? [];
  return name.replaceAll(/["']/g, "").trim();
}
