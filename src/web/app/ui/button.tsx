import type { ComponentChildren, Ref } from "preact";
import { Icon } from "./icon.tsx";
import { keyShortcut, keysText } from "./keys.ts";
import "./button.css";

export type ButtonProps = {
  /** `primary` once a screen at most: the main action. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "s" | "m";
  readonly type?: "button" | "submit";
  readonly icon?: string | undefined;
  /** After the words: that it opens something, or leads away. */
  readonly trailingIcon?: string | undefined;
  /** At work: it keeps its place and the focus, and another press does nothing. */
  readonly busy?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly onPress?: ((event: MouseEvent) => void) | undefined;
  readonly onPointerDown?: (() => void) | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  /** Further attributes: `aria-…`, `popovertarget`, `form`. */
  readonly attributes?: Readonly<Record<string, string | boolean | undefined>> | undefined;
  readonly elementRef?: Ref<HTMLButtonElement> | undefined;
  readonly class?: string | undefined;
  /** Its label, which says what it does. */
  readonly label: ComponentChildren;
};

/** A button with words. */
export function Button({
  kind = "plain",
  size = "m",
  icon,
  trailingIcon,
  label,
  class: className = "",
  ...rest
}: ButtonProps) {
  return (
    <button class={`app-button is-${kind} is-${size} ${className}`} {...pressable(rest)}>
      {rest.busy ? <Icon name="loader-circle" class="app-spinner" /> : icon !== undefined && <Icon name={icon} />}
      <span class="app-button-words">{label}</span>
      {trailingIcon !== undefined && <Icon name={trailingIcon} size={14} class="app-button-trailing" />}
    </button>
  );
}

export type IconButtonProps = Omit<ButtonProps, "label" | "icon" | "trailingIcon"> & {
  readonly icon: string;
  /** What it does, in words: its name and its tooltip. */
  readonly label: string;
  /** The keys that do the same, as `keysText` takes them. */
  readonly keys?: string | undefined;
  readonly isPressed?: boolean | undefined;
};

/** A button that is an icon alone. */
export function IconButton({
  kind = "quiet",
  size = "m",
  icon,
  label,
  keys,
  isPressed,
  class: className = "",
  ...rest
}: IconButtonProps) {
  return (
    <button
      class={`app-button app-icon-button is-${kind} is-${size} ${className}`}
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keysText(keys)})`}
      aria-keyshortcuts={keys && keyShortcut(keys)}
      aria-pressed={isPressed}
      {...pressable(rest)}
    >
      <Icon name={rest.busy ? "loader-circle" : icon} class={rest.busy ? "app-spinner" : ""} />
    </button>
  );
}

type Pressable = Pick<
  ButtonProps,
  "type" | "busy" | "isDisabled" | "onPress" | "onPointerDown" | "onKeyDown" | "attributes" | "elementRef"
>;

function pressable({
  type = "button",
  busy = false,
  isDisabled = false,
  onPress,
  attributes,
  elementRef,
  ...rest
}: Pressable) {
  return {
    type,
    ref: elementRef ?? null,
    // It can still be reached and read: a button that vanishes from the order of the keys loses who stood there.
    "aria-disabled": isDisabled || busy ? ("true" as const) : undefined,
    "aria-busy": busy ? ("true" as const) : undefined,
    onClick: (event: MouseEvent) => {
      if (isDisabled || busy) event.preventDefault();
      else onPress?.(event);
    },
    onPointerDown: rest.onPointerDown,
    onKeyDown: rest.onKeyDown,
    ...attributes,
  };
}
