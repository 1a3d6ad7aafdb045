import { limits } from "../../../../limits/index.ts";
import { defineInput } from "../../../interpreter/program/block.ts";
import { cells, drawn } from "../../../interpreter/schemas/form-layout.ts";
import { advanced, blockSchema, helped, option, titled, whenEnabled } from "../../options.ts";
import examples from "../examples.json";
import { shownOptions } from "../helpers.ts";
import { isFileAddress } from "../web-address.ts";
import { allowedExtensions } from "./mime-types.ts";

const schema = blockSchema({
  variableId: option.answerVariable,
  isRequired: option.flag("Whether the visitor must upload a file.", true),
  isMultipleAllowed: titled("Several files", option.flag("Whether visitors can upload several files.")),
  labels: option.labels({
    placeholder: option.markupText(
      "Shown in the area to which visitors drag files.",
      "<strong>Click to upload</strong> or drag and drop<br>(size limit: 10MB)",
    ),
    button: option.text("Label of the submit button.", "Upload"),
    clear: option.text("Label of the button that removes the files.", "Clear"),
    skip: option.text("Label of the button that continues without a file.", "Skip"),
    success: titled(
      "After sending",
      option.part("Messages after files were sent.", {
        single: option.text("Shown when one file was sent.", "File uploaded"),
        multiple: helped(
          "`{total}` is the number of files.",
          option.text(
            "Shown when several files were sent. `{total}` is the number of files.",
            "{total} files uploaded",
          ),
        ),
      }),
    ),
  }),
  allowedFileTypes: option.part("The accepted types of files.", {
    isEnabled: titled("Only some types", option.flag("Whether only some types are accepted.")),
    types: whenEnabled(
      helped("Such as `.pdf` or `image/*`.", option.texts("Extensions, MIME types, or kinds such as `image/*`.")),
    ),
  }),
  capture: advanced(titled("Camera", option.word(["environment", "user"], "The camera that a phone opens."))),
  visibility: advanced(
    helped(
      "Only people who can see the bot's results can open private files.",
      option.word(
        ["Auto", "Public", "Private"],
        "`Private`: only people who can see the bot's results can open the files. `Public` and `Auto`: anyone with the URL can open the files.",
        "Auto",
      ),
    ),
  ),
  sizeLimit: advanced(
    helped(
      "In megabytes.",
      option.number(
        `Maximum size of a file in megabytes, up to ${limits.uploads.fileMegabytes}. Defaults to the operator's limit; 0 rejects all files.`,
      ),
    ),
  ),
});

export const fileInput = defineInput({
  type: "file input",
  inputType: "file",
  summary: "Asks for files. The answer is a list of the URLs of the stored files, separated by a comma and a blank.",
  schema,
  ask: ({ options }, view) => shownOptions(options, view),
  uploadRules({ options = {} }) {
    const { visibility, sizeLimit, allowedFileTypes: { isEnabled, types = [] } = {} } = options;
    return {
      isPrivate: visibility === "Private",
      // A size limit of 0 is valid: it blocks all uploads.
      sizeLimit:
        sizeLimit !== undefined && sizeLimit >= 0 ? Math.min(sizeLimit, limits.uploads.fileMegabytes) : undefined,
      types: isEnabled && types.length > 0 ? types : undefined,
    };
  },
  reply({ options = {} }, _view, reply) {
    if (!reply) return options.isRequired === false ? { kind: "skipped" } : { kind: "invalid" };
    if (reply.type === "command") return { kind: "invalid" };
    const text = reply.type === "audio" ? reply.url : reply.text;
    const parts = text.split(", ");
    const { isEnabled, types = [] } = options.allowedFileTypes ?? {};
    if (parts.some((part) => reply.strangeFileUrls?.includes(part))) return { kind: "invalid" };
    if (!parts.every(isFileAddress) || (isEnabled && !areAllowed(parts, types))) return { kind: "invalid" };
    const isOneOfSeveral = parts.length > 1 && !options.isMultipleAllowed;
    return { kind: "accepted", content: isOneOfSeveral ? text.slice(0, text.indexOf(",")) : text };
  },
  editor: {
    name: "File",
    icon: "paperclip",
    words: ["upload", "attachment", "document", "photo", "camera"],
    row: ["{options.labels.button}"],
    form: [
      cells("options.isRequired", "options.isMultipleAllowed"),
      drawn("options.allowedFileTypes", "fileKinds"),
      cells("options.sizeLimit"),
      cells("options.variableId"),
    ],
    related: ["text input", "url input"],
  },
  examples: examples["file input"],
});

function areAllowed(addresses: readonly string[], types: readonly string[]): boolean {
  if (types.length === 0) return true;
  const allowed = allowedExtensions(types);
  return addresses.every((address) => allowed.has(address.slice(address.lastIndexOf(".") + 1).toLowerCase()));
}
