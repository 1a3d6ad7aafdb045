import type { ComponentChildren, Ref } from "preact";
import { Icon } from "./icon.tsx";
import { keyShortcut, keysText } from "./keys.ts";
import "./button.css";

export type ButtonProps = {
  /** Use `primary` at most once per screen, for the main action. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "s" | "m";
  readonly type?: "button" | "submit";
  readonly icon?: string | undefined;
  /** An icon after the label, for a button that opens a menu or another page. */
  readonly trailingIcon?: string | undefined;
  /** Whether the action is running. The button keeps its position and focus, and ignores further presses. */
  readonly busy?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly onPress?: ((event: MouseEvent) => void) | undefined;
  readonly onPointerDown?: (() => void) | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  /** Additional attributes, such as `aria-…`, `popovertarget` or `form`. */
  readonly attributes?: Readonly<Record<string, string | boolean | undefined>> | undefined;
  readonly elementRef?: Ref<HTMLButtonElement> | undefined;
  readonly class?: string | undefined;
  /** The button's label, which names the action. */
  readonly label: ComponentChildren;
};

/** A button with a text label. */
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
  /** The name of the action, which is the accessible name and the tooltip. */
  readonly label: string;
  /** The shortcut of the action, formatted by `keysText`. */
  readonly keys?: string | undefined;
  readonly isPressed?: boolean | undefined;
};

/** A button with an icon and no visible label. */
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
    // A disabled button stays in the tab order, because it would otherwise lose the focus.
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
