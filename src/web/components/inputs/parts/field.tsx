/** @jsxImportSource preact */
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { filledTextAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import type { Words } from "../../../conversation/words.ts";
import type { FieldProps } from "./input-kind.ts";

/** The ARIA attributes of a field: its question names it, or otherwise its placeholder, and its error describes it. */
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

/** The ids of the elements that describe a field. */
export function describedBy(...ids: readonly (string | false | undefined)[]): string | undefined {
  return ids.filter(Boolean).join(" ") || undefined;
}

/** The name of a field or of a group of fields: its question, otherwise this label. */
export function nameOf(questionId: string | undefined, label: string) {
  return questionId === undefined ? { "aria-label": label } : { "aria-labelledby": questionId };
}

/** The author's placeholder, otherwise the default one. */
export function placeholderOf(input: Input, defaultPlaceholder: string): string {
  return filledTextAt(input, "options", "labels", "placeholder") ?? defaultPlaceholder;
}

/** The button that stops the current answer, for the row of a field that the visitor fills in meanwhile. */
export const StopContext = createContext<ComponentChildren>(undefined);

/**
 * The button that sends a form: the author's label, or an icon with a hidden name. The button that stops an answer
 * precedes it.
 */
type SendButtonProps = {
  readonly label: string | undefined;
  readonly words: Words;
  /** Whether only the service checks the input. */
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

/** The author's label of the button; undefined if there is none. */
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
