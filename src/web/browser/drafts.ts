import { useEffect, useRef } from "preact/hooks";
import { at, textAt } from "../conversation/read.ts";
import { tryStorage } from "./storage.ts";

type Options = {
  /** Identifies the open input or the end of the chat. False while neither is shown. */
  readonly place: string | false;
  keyOf(): string | undefined;
};

/**
 * Stores unsent text, and restores it in the form after a reload. The text is in `sessionStorage`, because the history
 * entry can no longer be changed when the page is left. `keyOf` returns undefined while no text may be stored.
 */
export function useDrafts(container: HTMLElement, { place, keyOf }: Options): void {
  const isRestored = useRef(false);
  useEffect(() => {
    // This is the last event that every browser sends to a page before the page ends.
    const onHidden = (): void => store(keyOf(), fieldsIn(container));
    document.addEventListener("visibilitychange", onHidden);
    return () => document.removeEventListener("visibilitychange", onHidden);
  }, [container, keyOf]);
  // The session and the open form are known only after the chat has been resumed.
  const key = keyOf();
  useEffect(() => {
    if (!isRestored.current) isRestored.current = restore(key, fieldsIn(container));
  }, [container, key, place]);
}

function store(key: string | undefined, fields: readonly Field[]): void {
  const typed = fields.filter(isTyped).map(({ name, value }) => [name, value]);
  if (key === undefined) return;
  const draft = JSON.stringify({ [blockOf(fields)]: Object.fromEntries(typed) });
  tryStorage("session", (storage) => (typed.length > 0 ? storage.setItem(key, draft) : storage.removeItem(key)));
}

/** Restores the content of a form. Returns false if no draft of the form is stored. */
function restore(key: string | undefined, fields: readonly Field[]): boolean {
  const draft = key && tryStorage("session", (storage) => JSON.parse(storage.getItem(key) ?? "{}"));
  const values = at(draft, blockOf(fields));
  if (!values) return false;
  for (const field of fields)
    if (isList(field) || !isTyped(field)) field.value = textAt(values, field.name) ?? field.value;
  return true;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns the text fields and lists of all forms, including searchable lists. */
function fieldsIn(container: HTMLElement): readonly Field[] {
  return [...container.querySelectorAll<Field>("form :is(.text-input[name], select, [role=combobox])")];
}

/** Whether the visitor has changed a field. A list always counts as changed, because its initial choice is unknown. */
function isTyped(field: Field): boolean {
  return isList(field) || field.value !== field.defaultValue;
}

function isList(field: Field): field is HTMLSelectElement {
  return !("defaultValue" in field);
}

function blockOf([first]: readonly Field[]): string {
  return first?.form ? String(new FormData(first.form).get("block")) : "";
}
