import { useState } from "preact/hooks";
import formWords from "../words/en/form.json";
import { useWords } from "../words/index.ts";
import type { OnSet } from "./contract.ts";
import { isObject, isSame } from "./values.ts";
import { JsonBox, jsonText, readJson } from "./widgets/json.tsx";

export type JsonFormProps = {
  readonly label: string;
  /** The object to edit, such as a block or a theme. */
  readonly value: unknown;
  /** Keys that cannot be edited, such as ids. */
  readonly withoutKeys?: readonly string[];
  readonly isReadOnly: boolean;
  /** Called once for each changed key. */
  readonly onSet: OnSet;
};

/** Edits a whole object as JSON. */
export function JsonForm({ label, value, withoutKeys = [], isReadOnly, onSet }: JsonFormProps) {
  const words = useWords(formWords);
  const [typed, setTyped] = useState<string>();
  const shown = Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(([key]) => !withoutKeys.includes(key)),
  );
  const read = typed === undefined ? undefined : readObject(typed);
  const error =
    read && "error" in read
      ? read.error === undefined
        ? words.notAnObject
        : words.notJson({ why: read.error })
      : undefined;
  const isTyped = error !== undefined || (read && "value" in read && isSame(read.value, shown));
  const write = (text: string) => {
    setTyped(text);
    const next = readObject(text);
    if ("error" in next) return;
    for (const key of new Set([...Object.keys(shown), ...Object.keys(next.value)])) {
      if (withoutKeys.includes(key)) continue;
      const before = Object.hasOwn(shown, key) ? shown[key] : undefined;
      const after = Object.hasOwn(next.value, key) ? next.value[key] : undefined;
      if (!isSame(before, after)) onSet([key], after);
    }
  };
  return (
    <JsonBox
      label={label}
      error={error}
      value={isTyped && typed !== undefined ? typed : jsonText(shown)}
      rows={12}
      isReadOnly={isReadOnly}
      onInput={write}
      onCommit={() => error === undefined && setTyped(undefined)}
    />
  );
}

type Read = { readonly value: { readonly [key: string]: unknown } } | { readonly error: string | undefined };

function readObject(text: string): Read {
  const read = readJson(text);
  if ("error" in read) return read;
  return isObject(read.value) ? { value: read.value } : { error: undefined };
}
