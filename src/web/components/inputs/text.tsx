/** @jsxImportSource preact */
import { flagAt, textAt } from "../../conversation/read.ts";
import { ariaNames, buttonLabel, LineField, placeholderOf, SendButton, textOf } from "./field.tsx";
import type { FieldProps, InputKind } from "./input-kind.ts";
import { useLive } from "./live.ts";

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
  const isLive = useLive(props.isLive);
  const { input, initial, words, errorId } = props;
  const placeholder = placeholderOf(input, words.typeAnswer);
  const hintId = `${input.id}-keys`;
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
          aria-describedby={[hintId, errorId].filter(Boolean).join(" ")}
          onKeyDown={sendByKeys}
        />
        <SendButton label={buttonLabel(input)} words={words} />
      </div>
      <p class="field-hint" id={hintId} hidden={!isLive}>
        {words.sendByKeys}
      </p>
    </>
  );
}

/** In a long text Enter begins a new line; with Ctrl or Command it sends. */
function sendByKeys(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  if (event.currentTarget instanceof HTMLTextAreaElement) event.currentTarget.form?.requestSubmit();
}

const inputModes = ["text", "decimal", "numeric", "tel", "search", "email", "url"] as const;

function inputModeOf(word: string | undefined): (typeof inputModes)[number] | undefined {
  return inputModes.find((mode) => mode === word);
}
