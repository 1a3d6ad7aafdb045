/** @jsxImportSource preact */
import type { InputHTMLAttributes } from "preact";
import { filledTextAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import type { FieldProps } from "./input-kind.ts";

type LineFieldProps = FieldProps & {
  /** The placeholder, unless the author wrote another. */
  readonly usual: string;
  /** What tells the field from others: its type, and how browsers help with it. */
  readonly attributes: InputHTMLAttributes<HTMLInputElement>;
};

/** A field of one line, with the button that sends it. */
export function LineField({ usual, attributes, ...props }: LineFieldProps) {
  const placeholder = placeholderOf(props.input, usual);
  return (
    <div class="typebot-input field-row">
      <input
        class="text-input"
        {...attributes}
        name="text"
        defaultValue={props.initial}
        placeholder={placeholder}
        required
        dir="auto"
        {...naming(props, placeholder)}
      />
      <SendButton label={buttonLabel(props.input)} words={props.words} />
    </div>
  );
}

/** What names and describes a field: the question that was asked, else its placeholder; and what is wrong with it. */
export function naming(
  { questionId, errorId }: Pick<FieldProps, "questionId" | "errorId">,
  placeholder: string,
): Record<string, string | undefined> {
  return {
    ...(questionId === undefined ? { "aria-label": placeholder } : { "aria-labelledby": questionId }),
    "aria-describedby": errorId,
    "aria-invalid": errorId === undefined ? undefined : "true",
  };
}

/** The placeholder that an author wrote, else the usual one. */
export function placeholderOf(input: Input, usual: string): string {
  return filledTextAt(input, "options", "labels", "placeholder") ?? usual;
}

/** The button that sends a form: the author's word, or a paper plane with a name for those who do not see it. */
export function SendButton({ label, words }: { readonly label: string | undefined; readonly words: Words }) {
  return (
    <button type="submit" class={`typebot-button send-button ${label === undefined ? "is-icon" : ""}`}>
      {label ?? (
        <>
          <svg class="send-icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3.4 20.4 21 12 3.4 3.6 3.4 10.1 15 12 3.4 13.9Z" />
          </svg>
          <span class="visually-hidden">{words.send}</span>
        </>
      )}
    </button>
  );
}

/** The author's word on the button of a labelled input. */
export function buttonLabel(input: Input): string | undefined {
  const label = filledTextAt(input, "options", "labels", "button");
  // What editors store without being asked is no wish for a word.
  return label === "Send" ? undefined : label;
}

/** The text of a form's field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
