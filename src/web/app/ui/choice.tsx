import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import "./choice.css";

export type CheckboxProps = {
  readonly label: ComponentChildren;
  readonly help?: ComponentChildren;
  readonly isLabelHidden?: boolean | undefined;
  readonly isChecked: boolean;
  /** Whether only some of the options that the box represents are selected. */
  readonly isMixed?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Whether the last change is still running. The switch then ignores presses and keeps the focus. */
  readonly isBusy?: boolean | undefined;
  /** Called with the new state. `isShifted` is true if Shift was held during the press. */
  readonly onChange: (isChecked: boolean, isShifted: boolean) => void;
};

export function Checkbox({ isMixed = false, ...props }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return <Tick {...props} kind="checkbox" box={box} />;
}

/** A switch that takes effect immediately. */
export function Switch(props: Omit<CheckboxProps, "isMixed">) {
  const box = useRef<HTMLInputElement>(null);
  return <Tick {...props} kind="switch" box={box} />;
}

type TickProps = Omit<CheckboxProps, "isMixed"> & {
  readonly kind: "checkbox" | "switch";
  readonly box: { current: HTMLInputElement | null };
};

function Tick({ label, help, isLabelHidden = false, isChecked, isDisabled, isBusy, onChange, kind, box }: TickProps) {
  const id = useId();
  // The change event has no modifier keys, so they are read from the click event before it.
  const isShifted = useRef(false);
  return (
    <div class={`app-tick is-${kind}`}>
      <input
        ref={box}
        id={id}
        class="app-tick-box"
        type="checkbox"
        role={kind === "switch" ? "switch" : undefined}
        checked={isChecked}
        disabled={isDisabled}
        aria-disabled={isBusy ? "true" : undefined}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onClick={(event) => {
          isShifted.current = event.shiftKey;
          if (isBusy) event.preventDefault();
        }}
        onChange={(event) => onChange(event.currentTarget.checked, isShifted.current)}
      />
      <div class={isLabelHidden ? "visually-hidden" : "app-tick-words"}>
        <label for={id}>{label}</label>
        {help !== undefined && (
          <p class="app-field-help" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
    </div>
  );
}

export type RadiosProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: ComponentChildren }[];
  readonly onChange: (value: Value) => void;
};

/** A choice between a few options, which are shown side by side. */
export function Segments<Value extends string>({ label, value, options, onChange }: RadiosProps<Value>) {
  const name = useId();
  return (
    <fieldset class="app-segments">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="app-segment">
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
