import { useId, useRef, useState } from "preact/hooks";
import { Field, type FieldProps, useField } from "./field.tsx";
import { fittingNames, folded, withMade } from "./fits.ts";
import { Floating } from "./floating/floating.tsx";
import { Icon } from "./icon.tsx";

export type ComboboxOption = {
  readonly value: string;
  readonly label: string;
  /** Additional search terms for the option. */
  readonly words?: readonly string[] | undefined;
  readonly detail?: string | undefined;
  readonly icon?: string | undefined;
};

export type ComboboxProps = Partial<Omit<FieldProps, "children">> & {
  /** The accessible name of a field without a label. */
  readonly name?: string | undefined;
  readonly value: string | undefined;
  readonly options: readonly ComboboxOption[];
  readonly onChange: (value: string | undefined) => void;
  /** Creates an option from the typed text if no option has this name, and returns the option's value. */
  readonly onCreate?: ((text: string) => string) | undefined;
  /** Whether the typed text is also accepted when the field loses the focus. Otherwise, pasted text would be lost. */
  readonly keepsTyped?: boolean | undefined;
  /** Returns the label of the entry that creates an option. */
  readonly createLabel?: ((text: string) => string) | undefined;
  readonly noneLabel: string;
  readonly placeholder?: string | undefined;
  readonly isReadOnly?: boolean | undefined;
  /** Whether the field can be cleared. */
  readonly isOptional?: boolean | undefined;
};

/** A field with a list that the typed text filters, to select one of many options by name. */
export function Combobox({ label, help, error, aside, isLabelHidden, ...rest }: ComboboxProps) {
  if (label === undefined) return <Box {...rest} />;
  return (
    <Field label={label} help={help} error={error} aside={aside} isLabelHidden={isLabelHidden}>
      <Box {...rest} />
    </Field>
  );
}

const mostShown = 200;

function Box({
  name,
  value,
  options,
  onChange,
  onCreate,
  keepsTyped,
  createLabel,
  noneLabel,
  placeholder,
  isReadOnly,
  isOptional,
}: ComboboxProps) {
  const field = useField();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const chosen = options.find((option) => option.value === value);
  const found = matching(options, typed).slice(0, mostShown);
  const wish = typed?.trim() ?? "";
  const mayCreate = onCreate && wish !== "" && !options.some(({ label }) => folded(label) === folded(wish));
  const made = { value: createdValue, label: createLabel?.(wish) ?? wish, icon: "plus" };
  const entries: readonly ComboboxOption[] = mayCreate ? withMade(found, { made, wish, keepsTyped }) : found;

  const show = () => {
    if (isReadOnly) return;
    setOpen(true);
    setActive(
      Math.max(
        0,
        matching(options, undefined).findIndex((option) => option.value === value),
      ),
    );
  };
  const leave = () => {
    setOpen(false);
    setTyped(undefined);
  };
  const take = (option: ComboboxOption | undefined) => {
    if (!option) return;
    onChange(option.value === createdValue && onCreate ? onCreate(wish) : option.value);
    leave();
  };
  /** Selects the option with the typed name. Otherwise, uses the text itself if `keepsTyped` is set. */
  const takeTyped = () => {
    const named = options.find(({ label }) => folded(label) === folded(wish));
    if (named) onChange(named.value);
    else if (keepsTyped) onChange(onCreate?.(wish));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = entries.length - 1;
    switch (event.key) {
      case "ArrowDown":
        if (isOpen) setActive(active >= last ? 0 : active + 1);
        else show();
        break;
      case "ArrowUp":
        if (isOpen) setActive(active <= 0 ? last : active - 1);
        else show();
        break;
      case "Enter":
        if (!isOpen) return;
        take(entries[active]);
        break;
      case "Tab":
        // Tab selects the active entry if a name was typed, and moves the focus as usual.
        if (isOpen && wish !== "") take(entries[active]);
        return;
      case "Escape":
        if (!isOpen) return;
        event.stopPropagation();
        leave();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <div class="app-combobox">
      <input
        {...field}
        ref={input}
        class="app-input"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={name}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && entries.length > 0 ? `${listId}-${active}` : undefined}
        placeholder={placeholder}
        readOnly={isReadOnly}
        value={typed ?? chosen?.label ?? value ?? ""}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onClick={() => (isOpen ? undefined : show())}
        onBlur={() => {
          if (isOptional && typed === "") onChange(undefined);
          else if (wish !== "") takeTyped();
          leave();
        }}
        onKeyDown={onKeyDown}
      />
      <Icon name="chevron-down" size={14} />
      {isOpen && input.current && (
        <Floating anchor={input.current} mode="manual" isWide attributes={{ role: "listbox", id: listId }}>
          {entries.length === 0 && <p class="app-options-none">{noneLabel}</p>}
          {entries.map((option, index) => (
            <Option
              key={option.value}
              id={`${listId}-${index}`}
              option={option}
              isActive={index === active}
              isChosen={option.value === value}
              onTake={() => take(option)}
              onPoint={() => setActive(index)}
            />
          ))}
        </Floating>
      )}
    </div>
  );
}

const createdValue = "\u0000new";

type OptionProps = {
  readonly id: string;
  readonly option: ComboboxOption;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onTake: () => void;
  readonly onPoint: () => void;
};

function Option({ id, option, isActive, isChosen, onTake, onPoint }: OptionProps) {
  return (
    <div
      id={id}
      class={`app-option ${isActive ? "is-active" : ""}`}
      role="option"
      {...{ onClick: onTake }}
      tabIndex={-1}
      aria-selected={isChosen}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
      // Prevents the press from moving the focus out of the field.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
    >
      {option.icon !== undefined && <Icon name={option.icon} />}
      <span class="app-menu-words">
        {option.label}
        {option.detail !== undefined && <span class="app-menu-hint">{option.detail}</span>}
      </span>
      {isChosen && <Icon name="check" />}
    </div>
  );
}

/**
 * Returns the options that match the typed text: first those with a match in the name, best matches first, and then
 * those with another match. Returns all options if nothing is typed.
 */
export function matching(options: readonly ComboboxOption[], typed: string | undefined): readonly ComboboxOption[] {
  const wanted = folded(typed ?? "");
  if (wanted === "") return options;
  const named = fittingNames(options, wanted, ({ label }) => label);
  const has = ({ words = [] }: ComboboxOption) => words.some((text) => folded(text).includes(wanted));
  return [...named, ...options.filter((option) => !named.includes(option) && has(option))];
}
