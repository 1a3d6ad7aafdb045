/** @jsxImportSource preact */
import type { InputHTMLAttributes } from "preact";
import { ariaNames, buttonLabel, placeholderOf, SendButton } from "./field.tsx";
import type { FieldProps } from "./input-kind.ts";

type LineFieldProps = FieldProps & {
  /** The placeholder, unless the author set another placeholder. */
  readonly defaultPlaceholder: string;
  /** The type of the field, and how browsers help to fill it in. */
  readonly attributes: InputHTMLAttributes<HTMLInputElement>;
  readonly isUnchecked?: boolean | undefined;
  /** The unit before and after the field. */
  readonly unit?: { readonly before: string; readonly after: string };
};

/** A single-line field with a send button. */
export function LineField({ defaultPlaceholder, attributes, isUnchecked, unit, ...props }: LineFieldProps) {
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
      <SendButton label={buttonLabel(props.input)} words={props.words} isUnchecked={isUnchecked} />
    </div>
  );
}
