/** @jsxImportSource preact */
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { filledTextAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import type { Words } from "../../../conversation/words.ts";
import type { FieldProps } from "./input-kind.ts";

/**
 * Returns the ARIA attributes of a field. The field is named by its question, or by its placeholder if there is no
 * question, and described by its error.
 */
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

/** Joins the ids of the elements that describe a field. Returns undefined if there are none. */
export function describedBy(...ids: readonly (string | false | undefined)[]): string | undefined {
  return ids.filter(Boolean).join(" ") || undefined;
}

/**
 * Returns the ARIA attribute that names a field or a group of fields by its question, or by this label if there is no
 * question.
 */
export function nameOf(questionId: string | undefined, label: string) {
  return questionId === undefined ? { "aria-label": label } : { "aria-labelledby": questionId };
}

/** Returns the author's placeholder, or the default placeholder. */
export function placeholderOf(input: Input, defaultPlaceholder: string): string {
  return filledTextAt(input, "options", "labels", "placeholder") ?? defaultPlaceholder;
}

/**
 * The button that stops the current answer. It is shown next to the field in which the visitor can type in the
 * meantime.
 */
export const StopContext = createContext<ComponentChildren>(undefined);

type SendButtonProps = {
  readonly label: string | undefined;
  readonly words: Words;
  /** Whether the browser does not check the form before sending it. */
  readonly isUnchecked?: boolean | undefined;
};

export function SendButton({ label, words, isUnchecked }: SendButtonProps) {
  return (
    <>
      {useContext(StopContext)}
      <button
        type="submit"
        formNoValidate={isUnchecked}
        class={`typebot-button send-button ${label === undefined ? "is-icon" : ""}`}
      >
        {label ?? (
          <>
            <svg class="send-icon" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M3.4 20.4 21 12 3.4 3.6 3.4 10.1 15 12 3.4 13.9Z" />
            </svg>
            <span class="visually-hidden">{words.send}</span>
          </>
        )}
      </button>
    </>
  );
}

/** Returns the author's label of the button, or undefined if the author set none. */
export function buttonLabel(input: Input): string | undefined {
  const label = filledTextAt(input, "options", "labels", "button");
  // Editors store "Send" by default, so this label is not the author's choice.
  return label === "Send" ? undefined : label;
}

/** Returns the text of a form's field; empty if the form has no such text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
