import { make } from "../browser/elements.ts";
import type { Frame, FrameContext } from "./frame.ts";
import { activeWithin, crossPath, lineDrawing, makeButton, setProperty } from "./parts.ts";

/** A modal dialog over the page. */
export function popupFrame({ host, shell, close }: FrameContext): Frame {
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
  closer.append(lineDrawing(crossPath));
  const place = make("div", "place");
  dialog.append(title, closer, place);
  shell.append(dialog);
  // The browser closes the dialog on Escape, and on the back gesture of phones.
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
      // The browser returns the focus to the element that had it before.
      if (!isOpen && dialog.open) dialog.close();
    },
  };
}

/** Keeps Tab within the dialog, so that it does not reach the browser's own controls. */
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

/**
 * Prevents the page from scrolling behind an open dialog. Uses a separate style sheet, so that the page's own styles
 * stay unchanged.
 */
function lockPage(dialog: HTMLElement, isOpen: boolean): void {
  if (isOpen) openDialogs.add(dialog);
  else openDialogs.delete(dialog);
  const isLocked = lock !== undefined && document.adoptedStyleSheets.includes(lock);
  if (openDialogs.size > 0 === isLocked) return;
  if (lock === undefined) {
    lock = new CSSStyleSheet();
    lock.replaceSync("html,body{overflow:hidden!important}");
  }
  const hasScrollBar = window.innerWidth > document.documentElement.clientWidth;
  // The space of the scroll bar is reserved, so that the page does not move.
  lock.replaceSync(
    `html,body{overflow:hidden!important}${hasScrollBar ? "html{scrollbar-gutter:stable!important}" : ""}`,
  );
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== lock);
  document.adoptedStyleSheets = openDialogs.size > 0 ? [...others, lock] : others;
}
