import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { fileProblem } from "../../../conversation/files.ts";
import type { FieldProps } from "./input-kind.ts";

/** The files that the visitor has chosen for a form. They are also set in the form's file field, which sends them. */
export type ChosenFiles = ReturnType<typeof useChosenFiles>;

type Options = { readonly isMultiple: boolean; onChosen?: (files: readonly File[]) => void };

export function useChosenFiles({ input, words }: FieldProps, { isMultiple, onChosen }: Options) {
  const field = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const keep = (chosen: readonly File[]): void => {
    setFiles(chosen);
    putInto(field.current, chosen);
    onChosen?.(chosen);
  };
  useFormReset(field, () => {
    setFiles([]);
    setProblems([]);
  });
  return {
    field,
    files,
    /** Why each of the most recently added files was rejected. */
    problems,
    /** Adds files, or replaces the file if only one is allowed. Files that the input does not accept are rejected. */
    add(offered: Iterable<File>): void {
      const checked = [...offered].map((file) => ({ file, problem: fileProblem(file, input, words) }));
      const accepted = checked.flatMap(({ file, problem }) => (problem === undefined ? [file] : []));
      setProblems(checked.flatMap(({ problem }) => problem ?? []));
      keep(isMultiple ? [...files, ...accepted] : accepted.length > 0 ? accepted.slice(0, 1) : files);
    },
    remove(file: File): void {
      setProblems([]);
      keep(files.filter((one) => one !== file));
      field.current?.focus();
    },
    clear(): void {
      setProblems([]);
      keep([]);
      field.current?.focus();
    },
  };
}

/** Calls `forget` when the form of a field is reset, for example after it was sent. */
export function useFormReset(field: RefObject<HTMLInputElement | null>, forget: () => void): void {
  useEffect(() => {
    const form = field.current?.form;
    form?.addEventListener("reset", forget);
    return () => form?.removeEventListener("reset", forget);
  });
}

/** Sets the files of a file field. */
export function putInto(field: HTMLInputElement | null, files: readonly File[]): void {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  if (field) field.files = transfer.files;
}
