import { limits } from "../../../../limits/index.ts";
import { isJsonObject, valueAt } from "../../../interpreter/flow.ts";
import { defineInput } from "../../../interpreter/program/block.ts";
import { blockSchema, option } from "../../options.ts";
import examples from "../examples.json";
import { shownOptions } from "../helpers.ts";
import { isFileAddress } from "../web-address.ts";
import { allowedExtensions } from "./mime-types.ts";

const fields = {
  variableId: option.answerVariable,
  isRequired: option.flag("Whether the visitor must sign.", true),
  labels: option.labels({
    button: option.text("Label of the submit button.", "Sign"),
    clear: option.text("Label of the button that clears the signature.", "Clear"),
    skip: option.text("Label of the button that continues without a signature.", "Skip"),
  }),
};

const schema = blockSchema(fields);

/** A drawn signature is uploaded as a PNG. Clients that cannot draw send a photo of a signature. */
const types = ["image/png", "image/jpeg"];
const extensions = allowedExtensions(types);

const fileRules = {
  allowedFileTypes: { isEnabled: true, types },
  sizeLimit: limits.inputs.signatureMegabytes,
};

const shown = blockSchema({
  ...fields,
  allowedFileTypes: option.part("The allowed file types.", {
    isEnabled: option.flag("Always true."),
    types: option.texts("The accepted types."),
  }),
  sizeLimit: option.number("Maximum size of the file in megabytes."),
});

export const signatureInput = defineInput({
  type: "signature input",
  inputType: "signature",
  takesStartMessage: false,
  summary:
    "Asks for a signature, which visitors draw or type. The answer is the URL of an image, which is a private file of the chat.",
  schema,
  shown,
  ask({ options = {} }, view) {
    // A stored signature is never offered as a prefilled value.
    const { prefilledValue: _, ...shown } = shownOptions(options, view, fileRules);
    return shown;
  },
  uploadRules: () => ({ isPrivate: true, sizeLimit: fileRules.sizeLimit, types }),
  reply({ options = {} }, _view, reply) {
    if (!reply) return options.isRequired === false ? { kind: "skipped" } : { kind: "invalid" };
    if (reply.type !== "text" || reply.strangeFileUrls?.includes(reply.text)) return { kind: "invalid" };
    const { text } = reply;
    const isPicture = extensions.has(text.slice(text.lastIndexOf(".") + 1).toLowerCase());
    return isPicture && isFileAddress(text) ? { kind: "accepted", content: text } : { kind: "invalid" };
  },
  asKnown(shown) {
    const options = valueAt(shown, "options");
    return { type: "file input", ...(isJsonObject(options) && { options: { ...options, visibility: "Private" } }) };
  },
  editor: {
    name: "Signature",
    icon: "signature",
    words: ["sign", "draw", "consent", "contract", "agree", "pen"],
    row: ["{options.labels.button}"],
    related: ["file input", "text input"],
  },
  examples: examples["signature input"],
});
