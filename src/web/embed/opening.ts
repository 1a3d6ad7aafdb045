import { delayOf } from "./attributes.ts";
import { runAfter } from "./timers.ts";

/** Opens a frame by itself when what its element's attributes name has happened: time, scrolling, or leaving. */
export function openByItself(element: HTMLElement, open: () => void, signal: AbortSignal): void {
  if (element.hasAttribute("default-open")) queueMicrotask(open);
  runAfter(delayOf(element.getAttribute("auto-show-delay")), open, signal);
  const scrolled = element.getAttribute("open-on-scroll");
  if (scrolled !== null) openOnScroll(Number.parseFloat(scrolled) || halfPercent, open, signal);
  if (element.hasAttribute("open-on-exit")) openOnExit(open, signal);
}

const halfPercent = 50;

/** Once the visitor has scrolled so many percent of the way down the page. */
function openOnScroll(percent: number, open: () => void, signal: AbortSignal): void {
  const check = (): void => {
    const { scrollHeight, clientHeight } = document.documentElement;
    const way = scrollHeight - clientHeight;
    if (way > 0 && (scrollY / way) * 100 >= percent) open();
  };
  addEventListener("scroll", check, { passive: true, signal });
  check();
}

/** When the pointer leaves the page over its upper edge, where the browser's tabs and its address are. */
function openOnExit(open: () => void, signal: AbortSignal): void {
  const check = ({ relatedTarget, clientY }: MouseEvent): void => {
    if (relatedTarget === null && clientY <= 0) open();
  };
  document.addEventListener("mouseout", check, { signal });
}

/**
 * Opens chats by clicks on elements with `data-parley-open`, whose value may be the id of one. `open` says whether
 * there was one to open: a link without one leads where it leads.
 */
export function openOnClick(open: (id: string | undefined) => boolean): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented) return;
    const opener = event.composedPath().find((one) => one instanceof Element && one.hasAttribute(attribute));
    if (opener instanceof Element && open(opener.getAttribute(attribute) || undefined)) event.preventDefault();
  });
}

const attribute = "data-parley-open";
