import { useRef, useState } from "preact/hooks";
import { Button, type ButtonProps, IconButton } from "../button.tsx";
import { Icon } from "../icon.tsx";
import { keysText } from "../keys.ts";
import { Floating } from "./floating.tsx";
import type { Anchor } from "./placing.ts";

export type MenuItem =
  | { readonly kind: "line" }
  | { readonly kind: "title"; readonly label: string }
  | {
      readonly kind?: "item";
      readonly label: string;
      readonly icon?: string | undefined;
      /** A second line with an explanation, or the reason why the item is disabled. */
      readonly hint?: string | undefined;
      /** The shortcut of the action, formatted by `keysText`. */
      readonly keys?: string | undefined;
      readonly isDanger?: boolean | undefined;
      readonly isDisabled?: boolean | undefined;
      /** The state of an item that can be switched on and off. */
      readonly isChecked?: boolean | undefined;
      readonly onPress: () => void;
    };

export type MenuProps = {
  /** The label of the button. If the button shows only its icon, the label is its accessible name. */
  readonly label: string;
  readonly icon?: string | undefined;
  /** Whether the button shows only its icon. */
  readonly isIconOnly?: boolean | undefined;
  readonly kind?: ButtonProps["kind"];
  readonly size?: ButtonProps["size"];
  readonly class?: string | undefined;
  /** Returns the items. Called when the menu opens. */
  readonly items: () => readonly MenuItem[];
};

/**
 * A button that opens a menu. The arrow keys, Home, End and letters move within the menu, Enter selects an item, and
 * Escape closes the menu.
 */
export function Menu({
  label,
  icon,
  isIconOnly = false,
  kind = "plain",
  size = "m",
  items,
  class: className,
}: MenuProps) {
  const { button, isOpen, attributes, toggle, open, close, onPointerDown } = useDisclosure("menu");
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOpen || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    open();
  };
  const shared = {
    kind,
    size,
    attributes,
    elementRef: button,
    onPress: toggle,
    onPointerDown,
    onKeyDown,
    class: className,
  };
  return (
    <span class="app-menu-holder">
      {isIconOnly ? (
        <IconButton {...shared} icon={icon ?? "ellipsis"} label={label} />
      ) : (
        <Button label={label} {...shared} icon={icon} trailingIcon="chevron-down" />
      )}
      {isOpen && button.current && <MenuList label={label} anchor={button.current} items={items()} onClose={close} />}
    </span>
  );
}

/** Returns the state of an element that a button opens and closes, and the attributes of the button. */
export function useDisclosure(kind: "menu" | "dialog" | "listbox") {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // A press on the button closes an open menu, like any press outside, and must not open it again.
  const wasOpen = useRef(false);
  return {
    button,
    isOpen,
    attributes: { "aria-haspopup": kind, "aria-expanded": String(isOpen) },
    open: () => setOpen(true),
    close: () => setOpen(false),
    toggle: () => {
      if (!wasOpen.current) setOpen(!isOpen);
      wasOpen.current = false;
    },
    onPointerDown: () => {
      wasOpen.current = isOpen;
    },
  };
}

export type MenuListProps = {
  readonly label: string;
  readonly anchor: Anchor;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
};

/** A menu next to an element or at a point, for a button or a context menu. */
export function MenuList({ label, anchor, items, onClose }: MenuListProps) {
  const typed = useRef({ text: "", at: 0 });
  const before = useRef(document.activeElement);
  const choose = (item: MenuItem) => {
    if (!("onPress" in item) || item.isDisabled) return;
    onClose();
    if (before.current instanceof HTMLElement) before.current.focus();
    item.onPress();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]")];
    const next = nextEntry(event, entries, typed.current);
    if (event.key === "Tab") {
      onClose();
    } else if (next) {
      event.preventDefault();
      event.stopPropagation();
      next.focus();
    }
  };
  return (
    <Floating
      anchor={anchor}
      class="app-menu"
      attributes={{ role: "menu", "aria-label": label, tabIndex: -1 }}
      onClose={onClose}
      onKeyDown={onKeyDown}
      onOpen={(element) => element.querySelector<HTMLElement>("[role^=menuitem]")?.focus({ preventScroll: true })}
    >
      {items.map((item, index) => (
        <MenuEntry key={index} item={item} onChoose={choose} />
      ))}
    </Floating>
  );
}

function MenuEntry({ item, onChoose }: { item: MenuItem; onChoose: (item: MenuItem) => void }) {
  if (item.kind === "line") return <hr class="app-menu-line" />;
  if (item.kind === "title") return <div class="app-menu-title">{item.label}</div>;
  const { label, icon, hint, keys, isDanger = false, isDisabled = false, isChecked } = item;
  return (
    <button
      type="button"
      class={`app-menu-item ${isDanger ? "is-danger" : ""}`}
      {...(isChecked === undefined ? { role: "menuitem" } : { role: "menuitemcheckbox", "aria-checked": isChecked })}
      aria-disabled={isDisabled ? "true" : undefined}
      tabIndex={-1}
      onClick={() => onChoose(item)}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span class="app-menu-words">
        {label}
        {hint !== undefined && <span class="app-menu-hint">{hint}</span>}
      </span>
      {keys !== undefined && <kbd class="app-menu-keys">{keysText(keys)}</kbd>}
      {isChecked && <Icon name="check" />}
    </button>
  );
}

/**
 * Returns the entry to which a key moves the focus: the next or previous entry, the first or last entry, or the entry
 * that begins with the typed letters. Returns undefined for any other key.
 */
function nextEntry(
  { key, timeStamp }: KeyboardEvent,
  entries: readonly HTMLElement[],
  typed: { text: string; at: number },
): HTMLElement | undefined {
  const at = entries.findIndex((entry) => entry.matches(":focus"));
  switch (key) {
    case "ArrowDown":
      return entries[(at + 1) % entries.length];
    case "ArrowUp":
      return entries.at(at <= 0 ? -1 : at - 1);
    case "Home":
      return entries[0];
    case "End":
      return entries.at(-1);
  }
  if (key.length !== 1 || key === " ") return undefined;
  typed.text = timeStamp - typed.at > 700 ? key : typed.text + key;
  typed.at = timeStamp;
  const from = typed.text.length === 1 ? at + 1 : Math.max(0, at);
  const ordered = [...entries.slice(from), ...entries.slice(0, from)];
  return ordered.find((entry) => entry.textContent?.trim().toLowerCase().startsWith(typed.text.toLowerCase()));
}

/**
 * Returns a context menu for the secondary mouse button and the menu key: the `onContextMenu` handler for the element,
 * and the menu to render.
 */
export function useContextMenu(label: string, items: () => readonly MenuItem[]) {
  const [anchor, setAnchor] = useState<Anchor>();
  return {
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      const isByKey = event.clientX === 0 && event.clientY === 0;
      if (isByKey && event.target instanceof Element) setAnchor(event.target);
      else setAnchor({ x: event.clientX, y: event.clientY });
    },
    menu: anchor && <MenuList label={label} anchor={anchor} items={items()} onClose={() => setAnchor(undefined)} />,
  };
}
