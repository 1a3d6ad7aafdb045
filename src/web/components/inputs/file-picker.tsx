/** @jsxImportSource preact */
import { useContext, useRef, useState } from "preact/hooks";
import { allowedTypesOf, fileProblem } from "../../conversation/files.ts";
import { textAt } from "../../conversation/read.ts";
import { fill } from "../../conversation/words.ts";
import { UploadingContext } from "../uploading.ts";
import { ChosenFile, StoredFile } from "./file-rows.tsx";
import type { FieldProps } from "./input-kind.ts";

type Props = FieldProps & {
  /** Whether the page's script is there already. */
  readonly isLiveNow: boolean;
  readonly isMultiple: boolean;
  readonly isRequired: boolean;
  /** Label of the button that opens the file chooser, and the text beside it. */
  readonly button: string;
  readonly hint: string;
  /** Whether the page mentions that files may be dropped. */
  readonly mentionsDrop: boolean;
  /** Label of the button that removes all files. */
  readonly clear?: string;
  /** Addresses of files that are stored already. */
  readonly stored: readonly string[];
  readonly onChosen?: (count: number) => void;
};

/**
 * Chooses files with the browser's own field and lists them. They are part of the form; whoever
 * handles the form stores them.
 */
export function FilePicker(props: Props) {
  const { input, words, questionId, errorId, isLiveNow, isMultiple, button, hint, mentionsDrop, clear, onChosen } =
    props;
  const field = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [stored, setStored] = useState(props.stored);
  const [problem, setProblem] = useState<string>();
  const uploading = useContext(UploadingContext);
  const id = `${input.id}-file`;
  const problemId = problem === undefined ? undefined : `${id}-problem`;

  const setChosen = (chosen: readonly File[]): void => {
    setFiles(chosen);
    const transfer = new DataTransfer();
    for (const file of chosen) transfer.items.add(file);
    if (field.current) field.current.files = transfer.files;
    onChosen?.(chosen.length);
  };
  const add = (given: readonly File[]): void => {
    const problems = given.map((file) => fileProblem(file, input, words));
    const accepted = given.filter((_, index) => problems[index] === undefined);
    setProblem(problems.find((one) => one !== undefined));
    if (!isMultiple && accepted.length > 0) setStored([]);
    setChosen(isMultiple ? [...files, ...accepted] : accepted.length > 0 ? accepted.slice(0, 1) : files);
  };
  const remove = (file: File): void => {
    setChosen(files.filter((one) => one !== file));
    field.current?.focus();
  };

  return (
    <div class="file-picker">
      {/* The field covers the whole area invisibly, so it receives drops as well as clicks. */}
      <div class="typebot-upload-input drop-area" hidden={uploading !== undefined}>
        <label class="drop-label" for={id} id={`${id}-label`}>
          <svg class="file-icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 16V4m0 0L7 9m5-5 5 5M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4" />
          </svg>
          <span class="drop-button">{button}</span>
          {mentionsDrop && isLiveNow && <span class="drop-hint is-drop">{words.dropHere}</span>}
          {hint !== "" && <span class="drop-hint">{hint}</span>}
        </label>
        <input
          ref={field}
          class={isLiveNow ? "cover-file" : "plain-file"}
          id={id}
          type="file"
          name="file"
          multiple={isMultiple}
          accept={acceptOf(props)}
          capture={captureOf(textAt(input, "options", "capture"))}
          required={props.isRequired && stored.length === 0}
          aria-labelledby={[questionId, `${id}-label`].filter(Boolean).join(" ")}
          aria-describedby={[problemId, errorId].filter(Boolean).join(" ") || undefined}
          aria-invalid={problem !== undefined || errorId !== undefined ? "true" : undefined}
          onChange={(event) => add([...(event.currentTarget.files ?? [])])}
        />
      </div>
      {problem !== undefined && (
        <p class="typebot-input-error-message" id={problemId} role="alert" dir="auto">
          {problem}
        </p>
      )}
      {(files.length > 0 || stored.length > 0) && (
        <ul class="chosen-files">
          {stored.map((address) => (
            <StoredFile
              key={address}
              address={address}
              words={words}
              onRemove={isLiveNow ? () => setStored(stored.filter((one) => one !== address)) : undefined}
            />
          ))}
          {files.map((file, index) => (
            <ChosenFile
              key={`${file.name} ${file.size} ${index}`}
              file={file}
              share={uploading?.shares[index]}
              words={words}
              onRemove={() => remove(file)}
            />
          ))}
        </ul>
      )}
      <p class="visually-hidden" role="status">
        {uploading ? fill(words.uploading, { name: files.length === 1 ? (files[0]?.name ?? "") : files.length }) : ""}
      </p>
      {clear !== undefined && files.length > 1 && !uploading && (
        <button type="button" class="typebot-button secondary-button" onClick={() => setChosen([])}>
          {clear}
        </button>
      )}
      {uploading && (
        <button type="button" class="typebot-button secondary-button" onClick={uploading.cancel}>
          {words.cancel}
        </button>
      )}
    </div>
  );
}

function acceptOf({ input }: FieldProps): string | undefined {
  const accepted = allowedTypesOf(input).map((type) => (type.includes("/") ? type : `.${type.replace(/^\./, "")}`));
  return accepted.length > 0 ? accepted.join() : undefined;
}

const cameras = ["environment", "user"] as const;

function captureOf(word: string | undefined): (typeof cameras)[number] | undefined {
  return cameras.find((camera) => camera === word);
}
