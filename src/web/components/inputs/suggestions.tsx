/** @jsxImportSource preact */
import { listAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import css from "./follow-ups.css" with { type: "text" };
import { textOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { textInput } from "./text.tsx";

/** A text input with suggested answers. */
export const suggestionsInput = withFollowUps(textInput);

/**
 * Adds suggested answers above the field of an input. They are buttons of the input's form, each of which sends its
 * text. They are hidden while the bot answers, because they do not answer the next question.
 */
export function withFollowUps(kind: InputKind): InputKind {
  const { View } = kind;
  return {
    ...kind,
    css: (kind.css ?? "") + css,
    View: (props) => (
      <>
        {/* Enter in the field presses the form's first button, which must not be a suggested answer. */}
        <button type="submit" hidden />
        {!props.isEarly && <FollowUps input={props.input} label={props.words.suggestions} />}
        <View {...props} />
      </>
    ),
    read(form, input, words) {
      const text = textOf(form, "followUp");
      if (text !== "") form.set("text", text);
      return kind.read(form, input, words);
    },
  };
}

function FollowUps({ input, label }: { readonly input: Input; readonly label: string }) {
  return (
    <fieldset class="follow-ups" aria-label={label}>
      {followUpsOf(input).map((text) => (
        // The field need not be filled in.
        <button
          key={text}
          type="submit"
          class="follow-up"
          name="followUp"
          value={text}
          formNoValidate
          dir="auto"
          onClick={keepFocus}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * Moves the focus to the field after a suggested answer is pressed by keyboard, so that the visitor does not continue
 * at the top of the page.
 */
function keepFocus({ detail, currentTarget }: MouseEvent): void {
  if (detail > 0 || !(currentTarget instanceof HTMLButtonElement)) return;
  currentTarget.form?.querySelector<HTMLElement>("[name=text]")?.focus({ preventScroll: true });
}

function followUpsOf(input: Input): readonly string[] {
  return listAt(input, "options", "followUps").filter((text) => typeof text === "string");
}
