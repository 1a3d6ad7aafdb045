import type { ComponentChildren } from "preact";
import { Button, type ButtonProps, IconButton } from "../button.tsx";
import { Floating } from "./floating.tsx";
import { useDisclosure } from "./menu.tsx";

export type PopoverProps = {
  readonly label: string;
  /** The label of the button on a phone. */
  readonly short?: string | undefined;
  readonly icon?: string | undefined;
  readonly isIconOnly?: boolean | undefined;
  readonly kind?: ButtonProps["kind"];
  readonly size?: ButtonProps["size"];
  readonly class?: string | undefined;
  /** Renders the content of the panel. The argument closes the panel. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a small panel for secondary information or settings. */
export function Popover({
  label,
  short,
  icon,
  isIconOnly = false,
  kind = "plain",
  size = "m",
  class: className,
  children,
}: PopoverProps) {
  const { button, isOpen, attributes, toggle, close, onPointerDown } = useDisclosure("dialog");
  const shared = { kind, size, class: className, attributes, elementRef: button, onPress: toggle, onPointerDown };
  const leave = () => {
    close();
    button.current?.focus();
  };
  return (
    <span class="app-menu-holder">
      {isIconOnly ? (
        <IconButton {...shared} icon={icon ?? "info"} label={label} />
      ) : (
        <Button
          {...shared}
          label={short === undefined ? label : <span data-short={short}>{label}</span>}
          attributes={short === undefined ? attributes : { ...attributes, "aria-label": label }}
          icon={icon}
          trailingIcon="chevron-down"
        />
      )}
      {isOpen && button.current && (
        <Floating
          anchor={button.current}
          class="app-popover"
          attributes={{ role: "dialog", "aria-label": label, tabIndex: -1 }}
          onClose={close}
          onOpen={(element) => (firstControl(element) ?? element).focus({ preventScroll: true })}
        >
          {children(leave)}
        </Floating>
      )}
    </span>
  );
}

function firstControl(element: HTMLElement): HTMLElement | null {
  return element.querySelector<HTMLElement>("input, select, textarea, button, a[href]");
}
