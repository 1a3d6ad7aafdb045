/** @jsxImportSource preact */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { flagAt, textAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import { ariaNames, placeholderOf } from "./field.tsx";
import type { FieldProps } from "./input-kind.ts";
import { useLive } from "./live.ts";
import { submit } from "./submit.ts";

type Props = FieldProps & {
  readonly describedBy: string | undefined;
  readonly isHidden?: boolean;
  readonly isReadOnly?: boolean;
  readonly isRequired?: boolean;
};

/**
 * A field for free text, which grows up to eight lines. Enter sends the text, unless the author expects a long text.
 * Without a script, a short text has a single-line field in which Enter also sends. The script replaces this field, but
 * never while the visitor types in it.
 */
export function FreeText({ describedBy, isHidden, isReadOnly, isRequired, ...props }: Props) {
  const { input, initial, words } = props;
  const isLive = useLive(props.isLive);
  const isLong = isLongText(input);
  const [isArea, setArea] = useState(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const before = useRef<{ readonly text: string; readonly hasFocus: boolean }>(undefined);
  useLayoutEffect(() => {
    const { current } = field;
    if (!isLive || !current) return;
    const hasFocus = current.matches(":focus");
    if (hasFocus && current.value !== "") return;
    before.current = { text: current.value, hasFocus };
    setArea(true);
  }, [isLive, input.id]);
  useLayoutEffect(() => {
    const { current } = field;
    if (!current || !before.current) return;
    if (current.value !== before.current.text) current.value = before.current.text;
    if (before.current.hasFocus) current.focus({ preventScroll: true });
    before.current = undefined;
  }, [isArea]);
  useLayoutEffect(() => {
    const { current } = field;
    // A rejected text is inserted before text that was typed in the meantime.
    if (isLive && current && !current.value.startsWith(initial)) current.value = `${initial}\n${current.value}`;
  }, [initial]);
  const placeholder = placeholderOf(input, words.typeAnswer);
  const attributes = {
    ref: field,
    // The field receives the focus, although suggested answers precede it.
    "data-focus": true,
    class: "text-input",
    name: "text",
    inputMode: inputModeOf(textAt(input, "options", "inputMode")),
    defaultValue: initial,
    placeholder,
    required: isRequired,
    hidden: isHidden,
    readOnly: isReadOnly,
    dir: "auto",
    ...ariaNames(props, placeholder),
    "aria-describedby": describedBy,
  } as const;
  if (!isLong && !isArea) return <input {...attributes} type="text" autocomplete="on" />;
  return (
    <textarea
      {...attributes}
      rows={isLong ? 3 : 1}
      enterkeyhint={isLong ? undefined : "send"}
      onKeyDown={sendByKeys}
      onInput={growsBySelf() ? undefined : grow}
    />
  );
}

/** Whether the author expects a long text, in which Enter starts a new line. */
export function isLongText(input: Input): boolean {
  return flagAt(input, "options", "isLong") === true;
}

/**
 * Handles Enter, which sends a short text, or a long text together with Ctrl or Command. In a short text, Shift+Enter
 * starts a new line. Enter never sends while an input method is composing a word.
 */
function sendByKeys(event: KeyboardEvent): void {
  const { currentTarget: field, key, ctrlKey, metaKey, shiftKey } = event;
  if (key !== "Enter" || event.isComposing || !(field instanceof HTMLTextAreaElement)) return;
  if (!(ctrlKey || metaKey || (field.rows === 1 && !shiftKey))) return;
  event.preventDefault();
  if (!event.repeat) submit(field.form, null);
}

function growsBySelf(): boolean {
  return typeof CSS === "undefined" || CSS.supports("field-sizing", "content");
}

function grow({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }): void {
  currentTarget.style.height = "auto";
  currentTarget.style.height = `${currentTarget.scrollHeight}px`;
}

const inputModes = ["text", "decimal", "numeric", "tel", "search", "email", "url"] as const;

function inputModeOf(word: string | undefined): (typeof inputModes)[number] | undefined {
  return inputModes.find((mode) => mode === word);
}
