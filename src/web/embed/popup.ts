import type { Frame, FrameEvents } from "./frame.ts";
import { activeWithin, crossPath, drawing, make, makeButton, setProperty } from "./parts.ts";

/** A dialog over the page, which waits behind it. */
export function popupFrame({ host, shell, close }: FrameEvents): Frame {
  const dialog = document.createElement("dialog");
  dialog.className = "window";
  dialog.part.add("window");
  dialog.tabIndex = -1;
  dialog.autofocus = true;
  dialog.setAttribute("aria-modal", "true");
  dialog.setAttribute("aria-labelledby", "title");
  const title = make("h2", "visually-hidden");
  title.id = "title";
  const closer = makeButton("close", "close-button", close);
  closer.append(drawing(crossPath));
  const place = make("div", "place");
  dialog.append(title, closer, place);
  shell.append(dialog);
  // Escape, and the back gesture of phones.
  dialog.addEventListener("close", close);
  dialog.addEventListener("pointerdown", (event) => {
    if (event.target === dialog && !isInside(dialog.getBoundingClientRect(), event)) close();
  });
  dialog.addEventListener("keydown", (event) => keepFocus(dialog, event));

  return {
    place,
    refresh(words) {
      setProperty(dialog, "--width", host.getAttribute("width") ?? undefined);
      title.textContent = host.getAttribute("label") ?? words.chat;
      closer.setAttribute("aria-label", host.getAttribute("close-label") ?? words.close);
    },
    setOpen(isOpen) {
      lockPage(dialog, isOpen);
      if (isOpen && !dialog.open) dialog.showModal();
      // What had the focus before gets it back from the browser.
      if (!isOpen && dialog.open) dialog.close();
    },
    setPreview() {},
  };
}

/** The keyboard goes round in the dialog, without the browser's own bars in between. */
function keepFocus(dialog: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const stops = [...dialog.querySelectorAll<HTMLElement>(focusable)].filter((stop) => stop.checkVisibility());
  const active = activeWithin(dialog);
  const [first, last] = [stops.at(0), stops.at(-1)];
  const isAtEnd = event.shiftKey ? active === first || active === dialog : active === last;
  if (!isAtEnd) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

const focusable = [
  "a[href]",
  "button:not([disabled])",
  "input:not([type=hidden], [disabled])",
  "select:not([disabled])",
  "textarea:not([disabled])",
  "audio[controls]",
  "video[controls]",
  "iframe",
  "[tabindex='0']",
].join();

function isInside({ left, right, top, bottom }: DOMRect, { clientX, clientY }: MouseEvent): boolean {
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

const openDialogs = new Set<HTMLElement>();
let lock: CSSStyleSheet | undefined;

/** The page does not scroll behind an open dialog. A sheet of its own says so, and leaves the page's styles as they are. */
function lockPage(dialog: HTMLElement, isOpen: boolean): void {
  if (isOpen) openDialogs.add(dialog);
  else openDialogs.delete(dialog);
  const isLocked = lock !== undefined && document.adoptedStyleSheets.includes(lock);
  if (openDialogs.size > 0 === isLocked) return;
  if (lock === undefined) {
    lock = new CSSStyleSheet();
    lock.replaceSync("html,body{overflow:hidden!important}");
  }
  const hasBar = window.innerWidth > document.documentElement.clientWidth;
  // Where the bar had its place the page keeps it, so that nothing jumps.
  lock.replaceSync(`html,body{overflow:hidden!important}${hasBar ? "html{scrollbar-gutter:stable!important}" : ""}`);
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== lock);
  document.adoptedStyleSheets = openDialogs.size > 0 ? [...others, lock] : others;
}
