import { useId, useRef, useState } from "preact/hooks";
import { Field, type FieldProps, useField } from "./field.tsx";
import { fittingNames, folded, withMade } from "./fits.ts";
import { Floating } from "./floating/floating.tsx";
import { Icon } from "./icon.tsx";

export type ComboboxOption = {
  readonly value: string;
  readonly label: string;
  /** Further words by which the option is found. */
  readonly words?: readonly string[] | undefined;
  readonly detail?: string | undefined;
  readonly icon?: string | undefined;
};

export type ComboboxProps = Partial<Omit<FieldProps, "children">> & {
  /** The field's name, if it has no label beside it. */
  readonly name?: string | undefined;
  readonly value: string | undefined;
  readonly options: readonly ComboboxOption[];
  readonly onChange: (value: string | undefined) => void;
  /** Creates an option from the typed text, if no option has this name; returns its value. */
  readonly onCreate?: ((text: string) => string) | undefined;
  /** Leaving the field also accepts the typed text: pasted texts would otherwise be lost. */
  readonly keepsTyped?: boolean | undefined;
  /** The text of the entry that creates an option. */
  readonly createLabel?: ((text: string) => string) | undefined;
  readonly noneLabel: string;
  readonly placeholder?: string | undefined;
  readonly isReadOnly?: boolean | undefined;
  /** Whether the field may be emptied. */
  readonly isOptional?: boolean | undefined;
};

/** A field with a list that the typed text narrows: chooses one of many, by its name. */
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
  /** The option with the typed name; otherwise the text itself, if the field keeps typed texts. */
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
        // A typed name is chosen. The focus moves on as usual.
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
      // The field keeps the focus.
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
 * Options with the typed words in their names, best matches first, then options with the words elsewhere; all if
 * nothing is typed.
 */
export function matching(options: readonly ComboboxOption[], typed: string | undefined): readonly ComboboxOption[] {
  const wanted = folded(typed ?? "");
  if (wanted === "") return options;
  const named = fittingNames(options, wanted, ({ label }) => label);
  const has = ({ words = [] }: ComboboxOption) => words.some((text) => folded(text).includes(wanted));
  return [...named, ...options.filter((option) => !named.includes(option) && has(option))];
}
