import { activeElement } from "./focus.ts";

/** Keeps the part that the visitor reads in the window. */
export type Follower = ReturnType<typeof createFollower>;

type Options = {
  readonly container: HTMLElement;
  readonly isMotionReduced: boolean;
  /** Called when new content is out of sight below the window, and when it no longer is. */
  onUnseen(isUnseen: boolean): void;
};

/**
 * Follows a chat in one of two states:
 *
 * - following: the visitor is at the end. The window scrolls to what comes, as long as the top of the unread part stays
 *   in sight: a
 *   reply longer than the window begins at its top. When something changes its size, such as a picture that loads late or the dock, the
 *   content above it moves: the last words stay right above the dock.
 * - away: the visitor has scrolled up, and nothing scrolls. Answering, coming back to the end, and `goOn` lead to
 *   following.
 *
 * A visitor's scrolling differs from ours in its direction: only they scroll up. The browser scrolls by itself where
 * contents shrink, and back where they grow again: only this scrolling happens while the scrollable height changes.
 */
export function createFollower({ container, isMotionReduced, onUnseen }: Options) {
  let isAway = false;
  let isUnseen = false;
  let isGliding = false;
  let lastTop = 0;
  /** Height of the scrolled content. If it changes at the same moment, the browser scrolled. */
  let lastHeight = 0;
  let isFirst = true;
  /** The last entry of the chat, and the last entry that the visitor has read to its end. */
  let last: Element | undefined;
  let read: Element | undefined;
  let lastPlace: string | false = false;
  /** How far the end is above the dock, or will be after a smooth scroll. */
  let gap = 0;

  const scroll = (by: number, { isSmooth = true } = {}): void => {
    const { box, height, now, isForeign } = measure(container);
    const room = box.scrollHeight - box.clientHeight - box.scrollTop;
    const most = Math.max(-box.scrollTop, Math.min(by, room));
    gap = now;
    lastHeight = box.scrollHeight;
    // A page of another site is scrolled only for a visitor who is answering.
    if (Math.abs(most) < 1 || (isForeign && !container.contains(activeElement(container)))) return;
    gap += most;
    isGliding = isSmooth && !isMotionReduced && most < 2 * height;
    box.scrollTo({ top: box.scrollTop + most, behavior: isGliding ? "smooth" : "instant" });
    lastTop = box.scrollTop;
  };

  /** Scrolls to the end, but not past the top of the unread part. Never scrolls back. */
  const follow = (): void => {
    const { box, top, end, space, isForeign } = measure(container);
    const unread = entriesAfter(container, read);
    const reply = unread.find((entry) => !isAnswer(entry));
    const isAll = read === undefined && !isForeign;
    const distanceTo = (entry: Element | undefined): number =>
      isAll ? -box.scrollTop : entry ? entry.getBoundingClientRect().top - top - marginPx : Number.POSITIVE_INFINITY;
    // Room below the end and the answer above the reply may leave the window if the reply needs their place.
    const by = Math.max(Math.min(end + space, distanceTo(unread[0])), Math.min(end + marginPx, distanceTo(reply)));
    scroll(Math.max(0, by));
  };

  /** The entry, or the last entry of the chat if this one was removed. */
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
    // `onResize`, which is called next, corrects the browser's scrolling.
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
    // The last words keep their distance from the dock; free room below them may be used up first.
    else scroll(now < gap ? Math.max(0, Math.min(gap, space) - now) : gap - now, { isSmooth: isGliding });
    setUnseen(isUnseen);
  };

  const onScrollEnd = (): void => {
    isGliding = false;
  };
  // Handled before the scroll itself, which new content at that moment would undo.
  const onWheel = ({ deltaY }: WheelEvent): void => {
    isAway ||= deltaY < 0 && lastTop > 0;
  };
  const observer = new ResizeObserver(onResize);
  const stop = new AbortController();
  const listening = { capture: true, passive: true, signal: stop.signal };
  // Scroll events within a shadow tree do not reach listeners outside of it.
  for (const source of new Set([document, container.getRootNode()])) {
    source.addEventListener("scroll", onScroll, listening);
    source.addEventListener("scrollend", onScrollEnd, listening);
  }
  addEventListener("resize", onResize, listening);
  addEventListener("wheel", onWheel, listening);

  return {
    /**
     * Scrolls to the changes, unless the visitor reads elsewhere. `place` is the open input or the end of the chat,
     * once shown.
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
      // Entries that came with the page need no scrolling.
      if (isAway || (isFirst && last)) gap = measure(container).now;
      else follow();
      if (!isFirst) setUnseen(isUnseen || isNews);
      isFirst = false;
    },
    /** Scrolls on: to the top of the unread part, or from there to the end. */
    goOn(): void {
      const { now } = measure(container);
      isAway = false;
      follow();
      if (gap - now > 1) return;
      readToEnd();
      const { end, space } = measure(container);
      scroll(end + space);
    },
    /** Whether the end, with the open input, is in the window or will be after the scroll. */
    isEndInSight: () => gap >= -tolerancePx,
    stop(): void {
      observer.disconnect();
      stop.abort();
    },
  };
}

/** The distance from the end at which the visitor counts as having returned to it. */
const nearEndPx = 80;
/** The height that may be missing at the end although the whole content seems visible. */
const tolerancePx = 8;
const marginPx = 16;

/** The end of the conversation within its visible part, which is below the bar above the chat and above the dock. */
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
  /** The end's distance from the dock: positive while it is below the dock's upper edge. */
  const end = rect.top - top - height;
  const isForeign = container !== document.body && !container.contains(box);
  return { box, top, height, end, now: -end, space: rect.height, isForeign };
}

/** Passes the height of the dock to style sheets, and, if the chat is a part of a page, the height of its own box. */
function tellSizes(container: HTMLElement): void {
  const dock = partOf(container, "chat-dock");
  if (!dock) return;
  const box = scrollerOf(dock);
  // The element that scrolls a page is outside of its body.
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

/** The nearest scrolling element around this one: a part of the chat, its box, or the page. */
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
 * The entries that are shown after this one, in order; all entries if this one is not among them. The search begins at
 * the end, where new entries are: a search through a chat of a thousand messages took 1 ms, several times an answer.
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

/** A part of the chat beside its transcript, by its class; the transcript itself is not searched. */
function partOf(container: HTMLElement, name: string): HTMLElement | undefined {
  const view = container.querySelector(".typebot-chat-view");
  const parts = [view?.previousElementSibling, ...(view?.children ?? [])];
  return parts.find((part): part is HTMLElement => part instanceof HTMLElement && part.classList.contains(name));
}
