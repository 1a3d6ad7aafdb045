/** @jsxImportSource preact */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { say } from "../../../conversation/rare-words.ts";
import type { Words } from "../../../conversation/words.ts";
import { fileNameIn } from "../../file-names.ts";
import type { Uploading } from "../../uploading.ts";
import type { ChosenFiles } from "./chosen-files.ts";

type ListProps = { readonly chosen: ChosenFiles; readonly uploading: Uploading | undefined; readonly words: Words };

export function ChosenRows({ chosen, uploading, words }: ListProps) {
  return (
    <>
      {chosen.files.map((file, index) => (
        <ChosenFile
          key={`${file.name} ${file.size} ${index}`}
          {...{ file, words }}
          share={uploading?.shares[index]}
          onRemove={() => chosen.remove(file)}
        />
      ))}
    </>
  );
}

/** Returns a text with the name of the file that is being uploaded, or with the number of files. */
export function uploadingText({ files }: ChosenFiles, words: Words): string {
  return say(words, "uploading", { name: files.length === 1 ? (files[0]?.name ?? "") : files.length });
}

type ChosenProps = {
  readonly file: File;
  /** The uploaded part of the file, from 0 to 1; undefined while it is not being uploaded. */
  readonly share: number | undefined;
  readonly words: Words;
  onRemove(): void;
};

function ChosenFile({ file, share, words, onRemove }: ChosenProps) {
  return (
    <li class="chosen-file">
      <Thumbnail file={file} />
      <span class="chosen-name">
        <span class="chosen-title" dir="auto">
          {file.name}
        </span>{" "}
        <span class="chosen-size">{sizeText(file.size, words)}</span>
        {share !== undefined && (
          <progress
            class="chosen-progress"
            value={share}
            max={1}
            aria-label={say(words, "uploading", { name: file.name })}
          />
        )}
      </span>
      {share === undefined && <RemoveButton name={file.name} words={words} onRemove={onRemove} />}
    </li>
  );
}

type StoredProps = { readonly address: string; readonly words: Words; readonly onRemove: (() => void) | undefined };

/** A stored file. The form contains the file's URL. */
export function StoredFile({ address, words, onRemove }: StoredProps) {
  const name = fileNameIn(address, words);
  return (
    <li class="chosen-file">
      <input type="hidden" name="file" value={address} />
      <span class="chosen-name" dir="auto">
        {name}
      </span>
      {onRemove && <RemoveButton name={name} words={words} onRemove={onRemove} />}
    </li>
  );
}

type RemoveProps = { readonly name: string; readonly words: Words; onRemove(): void };

export function RemoveButton({ name, words, onRemove }: RemoveProps) {
  return (
    <button
      type="button"
      class="sign-button remove-button"
      aria-label={say(words, "remove", { name })}
      onClick={onRemove}
    >
      <Icon path="m6 6 12 12M18 6 6 18" />
    </button>
  );
}

/** An icon with a single path. The surrounding element names the icon. */
export function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="file-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function Thumbnail({ file }: { file: File }) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    if (!file.type.startsWith("image/")) return undefined;
    const made = URL.createObjectURL(file);
    setSource(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return source === undefined ? null : <img class="chosen-picture" src={source} alt="" />;
}

/** Formats a size in the page's language. */
function sizeText(bytes: number, { language }: Words): string {
  const kilobytes = bytes / 1024;
  const [size, unit] = kilobytes < 1000 ? [Math.ceil(kilobytes), "kilobyte"] : [kilobytes / 1024, "megabyte"];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(size);
}

type ProblemsProps = { readonly id: string; readonly problems: readonly string[] };

/** Shows each problem in its own line. Screen readers announce the lines. */
export function FileProblems({ id, problems }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <div class="typebot-input-error-message" id={id} role="alert">
      {problems.map((problem, index) => (
        <p class="file-problem" key={`${index} ${problem}`} dir="auto">
          {problem}
        </p>
      ))}
    </div>
  );
}

/** Scrolls an element into view when `amount` changes, for example with each chosen file. */
export function useInSight(element: RefObject<HTMLElement | null>, amount: number): void {
  useLayoutEffect(() => {
    if (amount > 0) element.current?.scrollIntoView({ block: "nearest" });
  }, [element, amount]);
}
