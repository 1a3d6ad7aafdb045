import type { ComponentChildren } from "preact";
import { Button, type ButtonProps, IconButton } from "../button.tsx";
import { Floating } from "./floating.tsx";
import { useDisclosure } from "./menu.tsx";

export type PopoverProps = {
  readonly label: string;
  readonly icon?: string | undefined;
  readonly isIconOnly?: boolean | undefined;
  readonly kind?: ButtonProps["kind"];
  readonly size?: ButtonProps["size"];
  /** Its content; it gets the way to close it. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a small panel beside it, for what is read or set by the way. */
export function Popover({ label, icon, isIconOnly = false, kind = "plain", size = "m", children }: PopoverProps) {
  const { button, isOpen, attributes, toggle, close, onPointerDown } = useDisclosure("dialog");
  const shared = { kind, size, attributes, elementRef: button, onPress: toggle, onPointerDown };
  const leave = () => {
    close();
    button.current?.focus();
  };
  return (
    <span class="app-menu-holder">
      {isIconOnly ? (
        <IconButton {...shared} icon={icon ?? "info"} label={label} />
      ) : (
        <Button label={label} {...shared} icon={icon} trailingIcon="chevron-down" />
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
