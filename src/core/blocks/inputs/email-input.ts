import { defineInput } from "../../interpreter/program/block.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { blockSchema, option } from "../options.ts";
import { acceptOrRetry, askedWith, checkedHere, replyText, shownOptions } from "./helpers.ts";

const retryMessage = "This email doesn't seem to be valid. Can you type it again?";

const schema = blockSchema({
  variableId: option.answerVariable,
  labels: option.fieldLabels("Type your email..."),
  retryMessageContent: option.retryMessage(retryMessage),
});

// The local part is a sequence of atoms joined by dots, or quoted text. The domain is an IP address in brackets, or
// labels that end in an alphabetic top-level domain.
const localPart = /^(?:[^<>()[\]\\.,;:\s@"]+(?:\.[^<>()[\]\\.,;:\s@"]+)*|".+")$/;
const domain = /^(?:\[\d{1,3}(?:\.\d{1,3}){3}\]|(?:[a-zA-Z\d-]+\.)+[a-zA-Z]{2,})$/;

export const emailInput = defineInput({
  type: "email input",
  inputType: "email",
  summary: "Asks for an e-mail address, and stores it in lower case.",
  schema,
  ask: ({ options }, view) => shownOptions(options, view),
  reply({ options }, view, reply) {
    const text = replyText(reply) ?? "";
    return acceptOrRetry(
      isEmail(text) ? text.toLowerCase() : undefined,
      () => view.text(options?.retryMessageContent) || retryMessage,
    );
  },
  editor: {
    name: "Email",
    icon: "at-sign",
    words: ["e-mail", "mail", "address", "contact"],
    row: ["{options.labels.placeholder}"],
    form: [...askedWith, cells("options.retryMessageContent"), checkedHere],
    related: ["text input", "phone number input", "url input"],
  },
  examples: [
    {
      title: "The address is stored in lower case.",
      block: { options: { variableId: "v_Email" } },
      variables: { Email: null },
      reply: "John@DOE.com",
      expect: { answer: "john@doe.com", variables: { Email: "john@doe.com" } },
    },
    {
      title: "The address is not trimmed, and must have a top-level domain.",
      block: { options: {} },
      reply: " a@b.co",
      expect: { answer: null, messages: [{ type: "text", content: { plainText: retryMessage } }] },
    },
  ],
});

/**
 * Returns whether a text is an email address. The text is split at the last `@` so that both parts can be checked in
 * linear time.
 */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return at > 0 && localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1));
}
