/** @jsxImportSource preact */
import type { InputHTMLAttributes } from "preact";
import { filledTextAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import type { Words } from "../../../conversation/words.ts";
import type { FieldProps } from "./input-kind.ts";

type LineFieldProps = FieldProps & {
  /** The placeholder, unless the author wrote another. */
  readonly defaultPlaceholder: string;
  /** The field's type, and how browsers help to fill it. */
  readonly attributes: InputHTMLAttributes<HTMLInputElement>;
  /** A unit before and after the field. */
  readonly unit?: { readonly before: string; readonly after: string };
};

/** A field of one line, with the button that sends it. */
export function LineField({ defaultPlaceholder, attributes, unit, ...props }: LineFieldProps) {
  const placeholder = placeholderOf(props.input, defaultPlaceholder);
  return (
    <div class="typebot-input field-row">
      {unit?.before && <span class="field-unit">{unit.before}</span>}
      <input
        class="text-input"
        {...attributes}
        name="text"
        defaultValue={props.initial}
        placeholder={placeholder}
        required
        dir="auto"
        {...ariaNames(props, placeholder)}
      />
      {unit?.after && <span class="field-unit">{unit.after}</span>}
      <SendButton label={buttonLabel(props.input)} words={props.words} />
    </div>
  );
}

/** The ARIA attributes of a field: it is named by its question, else by its placeholder, and described by its error. */
export function ariaNames(
  { questionId, errorId }: Pick<FieldProps, "questionId" | "errorId">,
  placeholder: string,
): Record<string, string | undefined> {
  return {
    ...nameOf(questionId, placeholder),
    "aria-describedby": errorId,
    "aria-invalid": errorId === undefined ? undefined : "true",
  };
}

/** The name of a field or of a group of them: its question, else this label. */
export function nameOf(questionId: string | undefined, label: string) {
  return questionId === undefined ? { "aria-label": label } : { "aria-labelledby": questionId };
}

/** The author's placeholder, else the default one. */
export function placeholderOf(input: Input, defaultPlaceholder: string): string {
  return filledTextAt(input, "options", "labels", "placeholder") ?? defaultPlaceholder;
}

/** The button that sends a form: the author's label, or an icon with a hidden name. */
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

/** The author's label of the button; undefined where there is none. */
export function buttonLabel(input: Input): string | undefined {
  const label = filledTextAt(input, "options", "labels", "button");
  // Editors store "Send" by default: the author did not choose it.
  return label === "Send" ? undefined : label;
}

/** The text of a form's field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
