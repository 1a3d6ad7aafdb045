/** @jsxImportSource preact */
import { useContext, useState } from "preact/hooks";
import { sizeLimitOf } from "../../conversation/files.ts";
import { filledTextAt, flagAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { fill, numberIn, type Words } from "../../conversation/words.ts";
import { UploadingContext } from "../uploading.ts";
import { SendButton } from "./field.tsx";
import { FilePicker } from "./file-picker.tsx";
import css from "./files.css" with { type: "text" };
import type { FieldProps, InputKind } from "./input-kind.ts";
import { useLive } from "./live.ts";

/** One file or several: chosen or dropped, and stored when the visitor sends them. */
export const fileInput: InputKind = {
  css,
  takesFiles: true,
  View: FilesView,
  read(form, input, words) {
    if (form.has("skip") && !isRequired(input)) return { kind: "said", message: null };
    const addresses = addressesIn(form);
    if (addresses.length === 0) return { kind: "wrong", error: words.fileRequired };
    const text = addresses.join(", ");
    return { kind: "said", message: { type: "text", text, attachedFileUrls: addresses } };
  },
};

function FilesView(props: FieldProps) {
  const { input, words } = props;
  const isLive = useLive(props.isLive);
  const [count, setCount] = useState(0);
  const isUploading = useContext(UploadingContext) !== undefined;
  const isMultiple = flagAt(input, "options", "isMultipleAllowed") === true;
  const label = (name: string): string | undefined => filledTextAt(input, "options", "labels", name);
  return (
    <div class="files">
      <FilePicker
        {...props}
        isLiveNow={isLive}
        isMultiple={isMultiple}
        isRequired={isRequired(input)}
        button={isMultiple ? words.chooseFiles : words.chooseFile}
        hint={hintOf(input, words)}
        mentionsDrop={label("placeholder") === undefined}
        clear={label("clear") ?? words.clear}
        stored={storedIn(props.initial)}
        onChosen={setCount}
      />
      {!isUploading && (
        <div class="file-buttons">
          {!isRequired(input) && (
            <button type="submit" class="typebot-button secondary-button" name="skip" value="1" formNoValidate>
              {label("skip") ?? words.skip}
            </button>
          )}
          {(!isLive || count > 0 || isRequired(input)) && (
            <SendButton label={label("button") ?? words.upload} words={words} />
          )}
        </div>
      )}
    </div>
  );
}

/** The addresses of stored files in a form. */
export function addressesIn(form: FormData): string[] {
  return form
    .getAll("file")
    .filter((address) => typeof address === "string" && /^https?:\/\//i.test(address))
    .map(String);
}

/** The stored files in an answer that was refused or prefilled. */
export function storedIn(initial: string): string[] {
  return initial.split(", ").filter((address) => /^https?:\/\//i.test(address));
}

function isRequired(input: Input): boolean {
  return flagAt(input, "options", "isRequired") ?? true;
}

/** The author's placeholder as plain text, else the size limit. */
function hintOf(input: Input, words: Words): string {
  const own = filledTextAt(input, "options", "labels", "placeholder");
  if (own !== undefined) return plainText(own);
  const limit = sizeLimitOf(input);
  return limit === undefined ? "" : fill(words.fileLimit, { limit: numberIn(words, limit) });
}

function plainText(html: string): string {
  const text = html
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\s*<(br|\/p|\/div)\s*\/?>\s*/gi, "\n")
    .replaceAll(/<[^<>]*>/g, "");
  return text.replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities.get(name) ?? "").trim();
}

const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", " "],
  ["#39", "'"],
]);
