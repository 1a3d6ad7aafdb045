import { defineInput } from "../../interpreter/program/block.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { blockSchema, option } from "../options.ts";
import examples from "./examples.json";
import { acceptOrRetry, askedWith, checkedHere, replyText, shownOptions } from "./helpers.ts";
import { isWebAddress } from "./web-address.ts";

const schema = blockSchema({
  variableId: option.answerVariable,
  labels: option.fieldLabels("Type a URL..."),
  retryMessageContent: option.retryMessage(),
});

export const urlInput = defineInput({
  type: "url input",
  inputType: "url",
  summary:
    "Asks for a web address with a domain or an IP address, with or without `http://` or `https://`, and stores it unchanged.",
  schema,
  ask: ({ options }, view) => shownOptions(options, view),
  reply({ options }, view, reply) {
    const text = replyText(reply) ?? "";
    return acceptOrRetry(isWebAddress(text) ? text : undefined, () => view.text(options?.retryMessageContent));
  },
  editor: {
    name: "Website",
    icon: "link",
    words: ["url", "address", "link", "page"],
    row: ["{options.labels.placeholder}"],
    form: [...askedWith, cells("options.retryMessageContent"), checkedHere],
    related: ["text input", "email input"],
  },
  examples: examples["url input"],
});
