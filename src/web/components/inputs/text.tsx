/** @jsxImportSource preact */
import { flagAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { ariaNames, buttonLabel, LineField, placeholderOf, SendButton, textOf } from "./parts/field.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { hasPointer, useLive } from "./parts/live.ts";

/** Free text, on one line or several. */
export const textInput: InputKind = {
  View(props) {
    const isLong = flagAt(props.input, "options", "isLong") ?? false;
    return isLong ? <LongText {...props} /> : <ShortText {...props} />;
  },
  read(form, _input, words) {
    // Forms are posted with CRLF line breaks.
    const text = textOf(form, "text").replaceAll("\r\n", "\n");
    if (text.trim() === "") return { kind: "wrong", error: words.required };
    return { kind: "said", message: { type: "text", text } };
  },
};

function ShortText(props: FieldProps) {
  const inputMode = inputModeOf(textAt(props.input, "options", "inputMode"));
  const attributes = { type: "text", inputMode, autocomplete: "on" } as const;
  return <LineField {...props} defaultPlaceholder={props.words.typeAnswer} attributes={attributes} />;
}

function LongText(props: FieldProps) {
  const { input, initial, words, errorId } = props;
  const placeholder = placeholderOf(input, words.typeAnswer);
  const hint = useKeysHint(props);
  return (
    <>
      <div class="typebot-input field-row is-long">
        <textarea
          class="text-input"
          name="text"
          rows={5}
          defaultValue={initial}
          placeholder={placeholder}
          required
          dir="auto"
          {...ariaNames(props, placeholder)}
          aria-describedby={[hint && keysHintId(input), errorId].filter(Boolean).join(" ") || undefined}
          onKeyDown={sendByKeys}
        />
        <SendButton label={buttonLabel(input)} words={words} />
      </div>
      <KeysHint input={input} hint={hint} />
    </>
  );
}

/** Which keys send, where there is a keyboard and a script that hears it. */
export function useKeysHint({ isLive, words }: FieldProps): string | undefined {
  if (!useLive(isLive) || !hasPointer()) return undefined;
  return isApple() ? words.sendByCommand : words.sendByKeys;
}

/** The hint under a field, which it describes by its id. */
export function KeysHint({ input, hint }: { readonly input: Input; readonly hint: string | undefined }) {
  if (hint === undefined) return null;
  return (
    <p class="field-hint" id={keysHintId(input)}>
      {hint}
    </p>
  );
}

export function keysHintId({ id }: Input): string {
  return `${id}-keys`;
}

function isApple(): boolean {
  return /mac/i.test(navigator.userAgent);
}

/** In a long text Enter begins a new line; with Ctrl or Command it sends. */
export function sendByKeys(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  if (event.currentTarget instanceof HTMLTextAreaElement) event.currentTarget.form?.requestSubmit();
}

const inputModes = ["text", "decimal", "numeric", "tel", "search", "email", "url"] as const;

export function inputModeOf(word: string | undefined): (typeof inputModes)[number] | undefined {
  return inputModes.find((mode) => mode === word);
}
