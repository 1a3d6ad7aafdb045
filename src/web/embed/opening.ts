import { delayOf } from "./attributes.ts";
import { runAfter } from "./timers.ts";

/**
 * Opens a frame automatically, as its element's attributes specify: immediately, after a delay, after scrolling, or
 * when the pointer leaves the page.
 */
export function openByItself(element: HTMLElement, open: () => void, signal: AbortSignal): void {
  if (element.hasAttribute("default-open")) queueMicrotask(open);
  runAfter(delayOf(element.getAttribute("auto-show-delay")), open, signal);
  const scrolled = element.getAttribute("open-on-scroll");
  if (scrolled !== null) openOnScroll(Number.parseFloat(scrolled) || halfPercent, open, signal);
  if (element.hasAttribute("open-on-exit")) openOnExit(open, signal);
}

const halfPercent = 50;

/** Opens a frame when the visitor has scrolled this percentage of the page. */
function openOnScroll(percent: number, open: () => void, signal: AbortSignal): void {
  const check = (): void => {
    const { scrollHeight, clientHeight } = document.documentElement;
    const way = scrollHeight - clientHeight;
    if (way > 0 && (scrollY / way) * 100 >= percent) open();
  };
  addEventListener("scroll", check, { passive: true, signal });
  check();
}

/**
 * Opens a frame when the pointer leaves the page through its upper edge, where the browser shows its tabs and address
 * bar.
 */
function openOnExit(open: () => void, signal: AbortSignal): void {
  const check = ({ relatedTarget, clientY }: MouseEvent): void => {
    if (relatedTarget === null && clientY <= 0) open();
  };
  document.addEventListener("mouseout", check, { signal });
}

/**
 * Opens chats on clicks on elements with `data-parley-open`, whose value may be the id of a chat. `open` returns
 * whether there was a chat to open. If not, a link keeps its usual effect.
 */
export function openOnClick(open: (id: string | undefined) => boolean): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented) return;
    const opener = event.composedPath().find((one) => one instanceof Element && one.hasAttribute(attribute));
    if (opener instanceof Element && open(opener.getAttribute(attribute) || undefined)) event.preventDefault();
  });
}

const attribute = "data-parley-open";
