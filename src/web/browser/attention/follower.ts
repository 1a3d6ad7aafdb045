import { activeElement } from "./focus.ts";

/** Scrolls the window to the messages that the visitor has not read. */
export type Follower = ReturnType<typeof createFollower>;

type Options = {
  readonly container: HTMLElement;
  readonly isMotionReduced: boolean;
  /** Called with true when new content is below the window, and with false when it no longer is. */
  onUnseen(isUnseen: boolean): void;
};

/**
 * Creates a follower, which scrolls a chat according to one of two states:
 *
 * - following: the visitor is at the end. The window scrolls to new content, but not past the top of the unread part,
 *   so a long reply is shown from its top. When the dock or an element such as a late picture changes its size, the end
 *   stays just above the dock.
 * - away: the visitor has scrolled up, and the window does not scroll. Sending an answer, scrolling to the end or
 *   calling `goOn` switches back to following.
 *
 * The code records the positions to which it scrolls itself, so any other scrolling up is the visitor's. Scrolling down
 * is attributed to the browser while the scrollable height changes.
 */
export function createFollower({ container, isMotionReduced, onUnseen }: Options) {
  let isAway = false;
  let isUnseen = false;
  let isGliding = false;
  let lastTop = 0;
  /**
   * The height of the scrolled content. If it has changed since the last scroll event, the browser caused the
   * scrolling.
   */
  let lastHeight = 0;
  let isFirst = true;
  /** The last entry of the chat, and the last entry that the visitor has completely read. */
  let last: Element | undefined;
  let read: Element | undefined;
  let lastPlace: string | false = false;
  /**
   * The distance from the end of the chat to the dock, now or after the current smooth scroll. Negative if the end is
   * hidden.
   */
  let gap = 0;

  const scroll = (by: number, { isSmooth = true } = {}): void => {
    const { box, height, now, isForeign } = measure(container);
    const room = box.scrollHeight - box.clientHeight - box.scrollTop;
    const most = Math.max(-box.scrollTop, Math.min(by, room));
    gap = now;
    lastHeight = box.scrollHeight;
    // A page of another site is scrolled only while the chat has the focus.
    if (Math.abs(most) < 1 || (isForeign && !container.contains(activeElement(container)))) return;
    gap += most;
    isGliding = isSmooth && !isMotionReduced && most < 2 * height;
    box.scrollTo({ top: box.scrollTop + most, behavior: isGliding ? "smooth" : "instant" });
    lastTop = box.scrollTop;
  };

  /** Scrolls down to the end, but not past the top of the unread part. */
  const follow = (): void => {
    const { box, top, end, space, isForeign } = measure(container);
    const unread = entriesAfter(container, read);
    const reply = unread.find((entry) => !isAnswer(entry));
    const isAll = read === undefined && !isForeign;
    const distanceTo = (entry: Element | undefined): number =>
      isAll ? -box.scrollTop : entry ? entry.getBoundingClientRect().top - top - marginPx : Number.POSITIVE_INFINITY;
    // If the reply needs the space, the visitor's answer above it and the free space below the end may leave the
    // window.
    const by = Math.max(Math.min(end + space, distanceTo(unread[0])), Math.min(end + marginPx, distanceTo(reply)));
    scroll(Math.max(0, by));
  };

  /** Returns the entry, or the last entry of the chat if the entry was removed. */
  const stillShown = (entry: Element | undefined) =>
    entry?.isConnected === false ? entriesAfter(container, undefined).at(-1) : entry;

  const setUnseen = (isNew: boolean): void => {
    const next = isNew && gap < -tolerancePx;
    if (next !== isUnseen) onUnseen(next);
    isUnseen = next;
  };

  const readToEnd = (): void => {
    isAway = false;
    read = last;
  };

  const onScroll = (): void => {
    const { box, now } = measure(container);
    const isUp = box.scrollTop < lastTop - 1;
    const isByBrowser = box.scrollHeight !== lastHeight;
    lastTop = box.scrollTop;
    lastHeight = box.scrollHeight;
    if (isUp) isAway ||= now < -tolerancePx;
    // The browser's scrolling is corrected by `onResize`, which is called next.
    else if (isByBrowser) return;
    else if (now >= -nearEndPx && (isAway || (!isGliding && gap < -tolerancePx))) readToEnd();
    if (isAway) isGliding = false;
    if (!isGliding) gap = now;
    setUnseen(isUnseen);
  };

  const onResize = (): void => {
    const { now, space } = measure(container);
    tellSizes(container);
    if (isAway) gap = now;
    else if (!lastPlace || gap < -tolerancePx) follow();
    // The end keeps its distance from the dock. If the dock grows, it first covers the free space below the end.
    else scroll(now < gap ? Math.max(0, Math.min(gap, space) - now) : gap - now, { isSmooth: isGliding });
    setUnseen(isUnseen);
  };

  const onScrollEnd = (): void => {
    isGliding = false;
  };
  // The wheel is handled before the resulting scroll, because new content could undo the scroll in between.
  const onWheel = ({ deltaY }: WheelEvent): void => {
    isAway ||= deltaY < 0 && lastTop > 0;
  };
  const observer = new ResizeObserver(onResize);
  const stop = new AbortController();
  const listening = { capture: true, passive: true, signal: stop.signal };
  // Scroll events within a shadow tree do not reach listeners outside the tree.
  for (const source of new Set([document, container.getRootNode()])) {
    source.addEventListener("scroll", onScroll, listening);
    source.addEventListener("scrollend", onScrollEnd, listening);
  }
  addEventListener("resize", onResize, listening);
  addEventListener("wheel", onWheel, listening);

  return {
    /**
     * Scrolls to new content, unless the visitor has scrolled up and has not answered since. `place` identifies the
     * open input or the end of the chat, and is false while neither is shown.
     */
    update(place: string | false): void {
      const before = stillShown(last);
      const added = entriesAfter(container, before);
      const answer = added.findLastIndex(isAnswer);
      const isNews = added.length > 0 || (place !== false && place !== lastPlace);
      read = stillShown(read);
      if (answer >= 0) {
        isAway = false;
        read = added[answer - 1] ?? before;
      }
      last = added.at(-1) ?? before;
      lastPlace = place;
      observer.disconnect();
      for (const part of container.querySelector(".typebot-chat-view")?.children ?? []) observer.observe(part);
      observer.observe(container);
      tellSizes(container);
      // The entries that the page already contained need no scrolling.
      if (isAway || (isFirst && last)) gap = measure(container).now;
      else follow();
      if (!isFirst) setUnseen(isUnseen || isNews);
      isFirst = false;
    },
    /** Scrolls to the top of the unread part. If the window is already there, scrolls to the end. */
    goOn(): void {
      const { now } = measure(container);
      isAway = false;
      follow();
      if (gap - now > 1) return;
      readToEnd();
      const { end, space } = measure(container);
      scroll(end + space);
    },
    /** Whether the end with the open input is in the window, now or after the current smooth scroll. */
    isEndInSight: () => gap >= -tolerancePx,
    stop(): void {
      observer.disconnect();
      stop.abort();
    },
  };
}

/** Within this distance from the end, the visitor counts as having returned to the end. */
const nearEndPx = 80;
/** The number of pixels that may be hidden at the end while the content still counts as completely visible. */
const tolerancePx = 8;
const marginPx = 16;

/** Measures the end of the conversation relative to the visible area between the bar above the chat and the dock. */
function measure(container: HTMLElement) {
  const mark = partOf(container, "chat-end") ?? container;
  const box = scrollerOf(mark);
  const { top: boxTop, bottom } = edgesOf(box);
  const header = partOf(container, "chat-header");
  const bar = header && box.contains(header) ? header.offsetHeight : 0;
  const dock = partOf(container, "chat-dock")?.getBoundingClientRect().top ?? bottom;
  const top = boxTop + bar;
  const height = Math.min(bottom, dock) - top;
  const rect = mark.getBoundingClientRect();
  /** The distance of the end from the dock. Positive if the end is below the dock's upper edge. */
  const end = rect.top - top - height;
  const isForeign = container !== document.body && !container.contains(box);
  return { box, top, height, end, now: -end, space: rect.height, isForeign };
}

/**
 * Passes the height of the dock to style sheets. If the chat is only a part of a page, also passes the height of the
 * chat's box.
 */
function tellSizes(container: HTMLElement): void {
  const dock = partOf(container, "chat-dock");
  if (!dock) return;
  const box = scrollerOf(dock);
  // The element that scrolls a page is its root element, outside of the body.
  const { style } = container === document.body ? document.documentElement : container;
  const tell = (name: string, height: number) => style.setProperty(`--parley-${name}`, `${height}px`);
  tell("dock-height", dock.offsetHeight);
  if (container !== document.body && container.contains(box)) tell("height", box.clientHeight);
}

function edgesOf(box: Element): { readonly top: number; readonly bottom: number } {
  if (box === document.documentElement) return { top: 0, bottom: innerHeight };
  const top = box.getBoundingClientRect().top + box.clientTop;
  return { top, bottom: top + box.clientHeight };
}

/** Returns the nearest ancestor that scrolls, or the root element of the page. */
function scrollerOf(element: Element): Element {
  for (let around = parentOf(element); around && around !== document.body; around = parentOf(around)) {
    const isScrolled = around.scrollHeight > around.clientHeight;
    if (isScrolled && /auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
}

function parentOf({ parentElement, parentNode }: Element): Element | null {
  return parentElement ?? (parentNode instanceof ShadowRoot ? parentNode.host : null);
}

/**
 * Returns the entries after `known` in order, or all entries if `known` is not among them. The search starts at the
 * end, where new entries are added, because searching a chat of a thousand messages takes 1 ms and an answer causes
 * several searches.
 */
function entriesAfter(container: HTMLElement, known: Element | undefined): readonly Element[] {
  const found: Element[] = [];
  let stretch = container.querySelector(".transcript")?.lastElementChild;
  for (; stretch && !(known && found.includes(known)); stretch = stretch.previousElementSibling)
    found.unshift(...stretch.querySelectorAll(".chunk-entries > *"));
  return known ? found.slice(found.indexOf(known) + 1) : found;
}

function isAnswer(entry: Element): boolean {
  return entry.classList.contains("guest-container");
}

/** Returns the part of the chat that has this class and is outside the transcript, or undefined if there is none. */
function partOf(container: HTMLElement, name: string): HTMLElement | undefined {
  const view = container.querySelector(".typebot-chat-view");
  const parts = [view?.previousElementSibling, ...(view?.children ?? [])];
  return parts.find((part): part is HTMLElement => part instanceof HTMLElement && part.classList.contains(name));
}
