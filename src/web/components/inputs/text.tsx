/** @jsxImportSource preact */
import type { Input } from "../../conversation/step.ts";
import { buttonLabel, describedBy, SendButton, textOf } from "./parts/field.tsx";
import { FreeText, isLongText } from "./parts/free-text.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { hasPointer, useLive } from "./parts/live.ts";

/** Free text with one or several lines. */
export const textInput: InputKind = {
  View: Composer,
  read(form, _input, words) {
    // Posted forms have CRLF line breaks.
    const text = textOf(form, "text").replaceAll("\r\n", "\n");
    if (text.trim() === "") return { kind: "wrong", error: words.required };
    return { kind: "said", message: { type: "text", text } };
  },
};

function Composer(props: FieldProps) {
  const { input, words, errorId } = props;
  const hint = useKeysHint(props);
  return (
    <>
      <div class={`typebot-input field-row ${isLongText(input) ? "is-long" : ""}`}>
        <FreeText {...props} isRequired describedBy={describedBy(hint && keysHintId(input), errorId)} />
        <SendButton label={buttonLabel(input)} words={words} />
      </div>
      <KeysHint input={input} hint={hint} />
    </>
  );
}

/** Returns a hint about the keys that send a long text, if there is a keyboard and a script that handles the keys. */
export function useKeysHint({ input, isLive, words }: FieldProps): string | undefined {
  if (!useLive(isLive) || !isLongText(input) || !hasPointer()) return undefined;
  return isApple() ? words.sendByCommand : words.sendByKeys;
}

/** The hint below a field. The field refers to the hint by its id. */
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
