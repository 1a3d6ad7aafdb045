import type { ComponentChildren, Ref } from "preact";
import { Icon } from "./icon.tsx";
import { keyShortcut, keysText } from "./keys.ts";
import "./button.css";

export type ButtonProps = {
  /** `primary` at most once per screen: the main action. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "s" | "m";
  readonly type?: "button" | "submit";
  readonly icon?: string | undefined;
  /** An icon after the words: the button opens something, or leads elsewhere. */
  readonly trailingIcon?: string | undefined;
  /** The action is running: the button keeps its place and the focus, and another press does nothing. */
  readonly busy?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly onPress?: ((event: MouseEvent) => void) | undefined;
  readonly onPointerDown?: (() => void) | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  /** Further attributes: `aria-…`, `popovertarget`, `form`. */
  readonly attributes?: Readonly<Record<string, string | boolean | undefined>> | undefined;
  readonly elementRef?: Ref<HTMLButtonElement> | undefined;
  readonly class?: string | undefined;
  /** The button's label, which names the action. */
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
  /** The action, in words: the button's name and its tooltip. */
  readonly label: string;
  /** The keys of the same action, in the form of `keysText`. */
  readonly keys?: string | undefined;
  readonly isPressed?: boolean | undefined;
};

/** A button that consists of an icon. */
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
    // The button can still be reached and read: if it left the tab order, the focus on it would be lost.
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
