/** @jsxImportSource preact */

import { useContext, useRef, useState } from "preact/hooks";
import { addressesIn } from "../../conversation/files.ts";
import { textOfMarkup } from "../../conversation/markup-text.ts";
import { filledTextAt, flagAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import { UploadingContext } from "../uploading.ts";
import css from "./files.css" with { type: "text" };
import { useChosenFiles } from "./parts/chosen-files.ts";
import { SendButton } from "./parts/field.tsx";
import { captureOf, FileField } from "./parts/file-field.tsx";
import { limitsText, takesPhotos } from "./parts/file-limits.ts";
import { ChosenRows, FileProblems, Icon, StoredFile, uploadingText, useInSight } from "./parts/file-rows.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";
import { richAnswer } from "./parts/RichAnswer.tsx";

/** One or several files, which are chosen or dropped. The files are stored when the visitor sends them. */
export const fileInput: InputKind = {
  ...richAnswer,
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
  const { input, words, questionId, errorId } = props;
  const isLive = useLive(props.isLive);
  const uploading = useContext(UploadingContext);
  const isMultiple = flagAt(input, "options", "isMultipleAllowed") === true;
  const [stored, setStored] = useState(() => storedIn(props.initial));
  const chosen = useChosenFiles(props, {
    isMultiple,
    onChosen(files) {
      if (!isMultiple && files.length > 0) setStored([]);
    },
  });
  const { files, problems } = chosen;
  const count = files.length + stored.length;
  const buttons = useRef<HTMLDivElement>(null);
  useInSight(buttons, count + problems.length);
  const id = `${input.id}-file`;
  const problemsId = `${input.id}-problems`;
  const describedBy = [problems.length > 0 && problemsId, errorId].filter(Boolean).join(" ") || undefined;
  const label = (name: string): string | undefined => filledTextAt(input, "options", "labels", name);
  const own = label("placeholder");
  const hint = own === undefined ? limitsText(input, words) : textOfMarkup(own);
  return (
    <div class="files">
      {count > 0 && (
        <ul class="chosen-files">
          {stored.map((address) => (
            <StoredFile
              key={address}
              address={address}
              words={words}
              onRemove={isLive ? () => setStored(stored.filter((one) => one !== address)) : undefined}
            />
          ))}
          <ChosenRows {...{ chosen, uploading, words }} />
        </ul>
      )}
      <div class={`typebot-upload-input file-zone ${count > 0 ? "has-files" : ""}`} hidden={uploading !== undefined}>
        <div class="file-source">
          <label class="file-label" for={id} id={`${id}-label`}>
            <Icon path={count > 0 && isMultiple ? plusPath : uploadPath} />
            <span class="file-action">{actionText({ count, isMultiple, words })}</span>
            {own === undefined && isLive && count === 0 && <span class="drop-hint is-drop">{words.dropHere}</span>}
          </label>
          <FileField
            id={id}
            input={input}
            chosen={chosen}
            isLive={isLive}
            isMultiple={isMultiple}
            isRequired={isRequired(input) && stored.length === 0}
            labelledBy={[questionId, `${id}-label`].filter(Boolean).join(" ")}
            describedBy={[hint !== "" && `${id}-hint`, describedBy].filter(Boolean).join(" ") || undefined}
            isFirst
            isInvalid={describedBy !== undefined}
          />
        </div>
        {isLive && isHandheld() && captureOf(input) === undefined && takesPhotos(input) && (
          <Camera label={words.takePhoto} onPhoto={chosen.add} />
        )}
        {hint !== "" && (
          <p class="drop-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      <FileProblems id={problemsId} problems={problems} />
      <p class="visually-hidden" role="status">
        {uploading && uploadingText(chosen, words)}
      </p>
      <div class="file-buttons" ref={buttons}>
        {uploading && <SideButton label={words.cancel} onClick={uploading.cancel} />}
        {!uploading && files.length > 1 && <SideButton label={label("clear") ?? words.clear} onClick={chosen.clear} />}
        {!uploading && !isRequired(input) && (
          <button type="submit" class="typebot-button secondary-button" name="skip" value="1" formNoValidate>
            {label("skip") ?? words.skip}
          </button>
        )}
        {(!isLive || count > 0 || isRequired(input)) && (
          <SendButton label={label("button") ?? words.upload} words={words} />
        )}
      </div>
    </div>
  );
}

type Action = { readonly count: number; readonly isMultiple: boolean; readonly words: Words };

function actionText({ count, isMultiple, words }: Action): string {
  if (count > 0) return isMultiple ? words.addMore : words.chooseAnother;
  return isMultiple ? words.chooseFiles : words.chooseFile;
}

function SideButton({ label, onClick }: { readonly label: string; onClick(): void }) {
  return (
    <button type="button" class="typebot-button secondary-button" onClick={onClick}>
      {label}
    </button>
  );
}

function isHandheld(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** A button that opens the camera directly. */
function Camera({ label, onPhoto }: { readonly label: string; onPhoto(photos: Iterable<File>): void }) {
  return (
    <label class="file-source">
      <span class="file-label">
        <Icon path={cameraPath} />
        <span class="file-action">{label}</span>
      </span>
      <input
        type="file"
        class="cover-file"
        accept="image/*"
        capture="environment"
        onChange={({ currentTarget }) => {
          onPhoto([...(currentTarget.files ?? [])]);
          // This field has no name and is not part of the form. The photo is now in the field for files.
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

/** Lists the stored files in an answer that was rejected or prefilled. */
function storedIn(initial: string): string[] {
  return initial.split(", ").filter((address) => /^https?:\/\//i.test(address));
}

function isRequired(input: Input): boolean {
  return flagAt(input, "options", "isRequired") ?? true;
}

const uploadPath = "M12 16V4m0 0L7 9m5-5 5 5M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4";
const plusPath = "M12 5v14M5 12h14";
const cameraPath =
  "M4 8h3.5L9 5.5h6L16.5 8H20a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1ZM12 10a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4Z";
