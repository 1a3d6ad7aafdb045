import { type ComponentChildren, createContext, type Ref, type VNode } from "preact";
import { useContext, useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import "./field.css";

/** An error that belongs to no particular field. Announced immediately. */
export function FieldError({ error }: { readonly error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p class="app-field-error" role="alert">
      {error}
    </p>
  );
}

export type FieldProps = {
  readonly label: ComponentChildren;
  /** Shown under the field, unless there is an error. */
  readonly help?: ComponentChildren;
  readonly error?: string | undefined;
  /** Shown next to the label, for example "optional" or a small button. */
  readonly aside?: ComponentChildren;
  /** Whether the label is only available to screen readers. */
  readonly isLabelHidden?: boolean | undefined;
  readonly children: ComponentChildren;
};

type FieldIds = { readonly id: string; readonly describedBy: string | undefined; readonly isInvalid: boolean };

const FieldContext = createContext<FieldIds | undefined>(undefined);

/** A label, a control, and the texts about it, which are linked by ids. The control gets its ids from `useField`. */
export function Field({ label, help, error, aside, isLabelHidden = false, children }: FieldProps) {
  const id = useId();
  const isInvalid = error !== undefined && error !== "";
  const hasHelp = help !== undefined && help !== "";
  const describedBy = isInvalid ? `${id}-error` : hasHelp ? `${id}-help` : undefined;
  return (
    <div class="app-field">
      <div class={isLabelHidden ? "visually-hidden" : "app-field-label"}>
        <label for={id}>{label}</label>
        {isLabelHidden && aside}
      </div>
      <FieldContext.Provider value={{ id, describedBy, isInvalid }}>{children}</FieldContext.Provider>
      {/* Displayed beside the label, but after the control in the tab order, so that Tab moves between fields. */}
      {aside !== undefined && !isLabelHidden && <span class="app-field-aside">{aside}</span>}
      {isInvalid ? (
        <p class="app-field-error" id={`${id}-error`}>
          <Icon name="circle-alert" size={14} />
          <span>{error}</span>
        </p>
      ) : (
        hasHelp && (
          <p class="app-field-help" id={`${id}-help`}>
            {help}
          </p>
        )
      )}
    </div>
  );
}

/** Returns the attributes that link a control to the field around it. */
export function useField(): {
  readonly id: string | undefined;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
} {
  const field = useContext(FieldContext);
  return {
    id: field?.id,
    "aria-describedby": field?.describedBy,
    "aria-invalid": field?.isInvalid ? "true" : undefined,
  };
}

type Named = Partial<Omit<FieldProps, "children">> & {
  /** The accessible name of a control without a label. */
  readonly name?: string | undefined;
};

/** Wraps a control in a `Field` if it has a label. */
function fielded<Props extends Named>(Control: (props: Props) => VNode) {
  return (props: Props): VNode => {
    const { label, help, error, aside, isLabelHidden } = props;
    if (label === undefined) return <Control {...props} />;
    return (
      <Field label={label} help={help} error={error} aside={aside} isLabelHidden={isLabelHidden}>
        <Control {...props} />
      </Field>
    );
  };
}

type WrittenProps<Box> = Named & {
  readonly value: string;
  readonly onInput?: ((value: string) => void) | undefined;
  /** Called with a changed value when the control loses the focus or Enter is pressed. */
  readonly onCommit?: ((value: string) => void) | undefined;
  readonly placeholder?: string | undefined;
  readonly isReadOnly?: boolean | undefined;
  readonly isMono?: boolean | undefined;
  readonly maxLength?: number | undefined;
  /** Additional attributes, such as `autocomplete`, `inputmode`, `spellcheck`, `autofocus` or `pattern`. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly elementRef?: Ref<Box> | undefined;
};

export type TextFieldProps = WrittenProps<HTMLInputElement> & {
  readonly type?: "text" | "email" | "password" | "search" | "url" | "number" | "date";
  readonly icon?: string | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
};

/** A one-line text field. */
export const TextField = fielded(Line);

function Line({
  name,
  value,
  onInput,
  onCommit,
  type = "text",
  icon,
  isMono,
  onKeyDown,
  elementRef,
  ...rest
}: TextFieldProps) {
  const field = useField();
  const attributes: NonNullable<TextFieldProps["attributes"]> = { type, ...rest.attributes };
  const own = useRef<HTMLInputElement>(null);
  const ref = elementRef ?? own;
  useLayoutEffect(() => {
    // Browsers apply `autofocus` only once per document, and not after an element has had the focus.
    if (rest.attributes?.["autofocus"] === true && "current" in ref) ref.current?.focus({ preventScroll: true });
  }, []);
  const input = (
    <input
      {...field}
      class={`app-input ${isMono ? "is-mono" : ""}`}
      ref={ref}
      value={value}
      aria-label={name}
      placeholder={rest.placeholder}
      readOnly={rest.isReadOnly}
      maxLength={rest.maxLength}
      dir="auto"
      onInput={(event) => onInput?.(event.currentTarget.value)}
      onChange={(event) => onCommit?.(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      {...attributes}
    />
  );
  if (icon === undefined) return input;
  return (
    <div class="app-input-box">
      <Icon name={icon} />
      {input}
    </div>
  );
}

export type TextAreaProps = WrittenProps<HTMLTextAreaElement> & { readonly rows?: number | undefined };

/** A text field with several lines, which grows with its text. */
export const TextArea = fielded(Lines);

function Lines({ name, value, onInput, onCommit, isMono, elementRef, ...rest }: TextAreaProps) {
  const field = useField();
  return (
    <textarea
      {...field}
      class={`app-input app-text-area ${isMono ? "is-mono" : ""}`}
      ref={elementRef ?? null}
      value={value}
      rows={rest.rows ?? 3}
      aria-label={name}
      placeholder={rest.placeholder}
      readOnly={rest.isReadOnly}
      maxLength={rest.maxLength}
      dir="auto"
      onInput={(event) => onInput?.(event.currentTarget.value)}
      onChange={(event) => onCommit?.(event.currentTarget.value)}
      {...rest.attributes}
    />
  );
}

export type SelectOption<Value extends string = string> = {
  readonly value: Value;
  readonly label: string;
  readonly isDisabled?: boolean;
};

export type SelectProps<Value extends string> = Named & {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean | undefined;
  readonly size?: "s" | "m";
};

/** A choice of a few options. Uses the browser's own list, which phones and screen readers support best. */
export const Select = fielded(Choice);

function Choice<Value extends string>({ name, value, options, onChange, isDisabled, size = "m" }: SelectProps<Value>) {
  const field = useField();
  const choose = (chosen: string) => {
    const option = options.find((each) => each.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <div class={`app-select is-${size}`}>
      <select
        {...field}
        class="app-input"
        aria-label={name}
        value={value}
        disabled={isDisabled}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={14} />
    </div>
  );
}
