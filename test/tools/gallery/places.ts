import { colorOf } from "./colors.ts";

/** Returns messages about layout problems of this page, such as truncated words and covered controls. */
export function findMisplaced(): string[] {
  return [
    ...wideParts(),
    ...cutWords(),
    ...coveredControls(),
    ...(matchMedia("(forced-colors: active)").matches ? edgelessControls() : []),
    ...(matchMedia("(prefers-reduced-motion: reduce)").matches ? motion() : []),
  ];
}

/**
 * Returns elements of a form that extend beyond the form, which never scrolls horizontally. Lists and tables may
 * scroll.
 */
function wideParts(): string[] {
  return [...document.querySelectorAll(".typebot-input-container :is(button, label, .typebot-input)")].flatMap(
    (part) => {
      const place = part.closest(".typebot-input-container")?.getBoundingClientRect();
      if (!place || !isSeen(part) || part.clientWidth < 3) return [];
      for (let at = part.parentElement; at && !at.matches(".typebot-input-container"); at = at.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return [];
      }
      const { left, right } = part.getBoundingClientRect();
      const isWide = left < place.left - tolerance || right > place.right + tolerance;
      return isWide ? [`wider than its place: ${nameOf(part)}`] : [];
    },
  );
}

/** Returns words that end outside of their box and cannot be scrolled into view, and truncated placeholders. */
function cutWords(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode()) {
    const { currentNode } = walker;
    const element = currentNode.parentElement;
    if (!element || (currentNode.nodeValue ?? "").trim() === "" || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(currentNode);
    const words = range.getBoundingClientRect();
    const box = boxAround(element);
    // A box of at most two pixels is only for screen readers.
    if (box && box.clientWidth > 2 && isBeyond(words, box.getBoundingClientRect()))
      found.push(`cut: ${nameOf(element)} in ${nameOf(box)}`);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>("form input[placeholder]")) {
    if (field.value === "" && isSeen(field) && field.scrollWidth > field.clientWidth + 1) {
      found.push(`cut placeholder: ${field.placeholder}`);
    }
  }
  return found;
}

/**
 * Returns the nearest box that hides its overflow, or has a border that words must not cross. Returns undefined if a
 * nearer box scrolls or truncates its text.
 */
function boxAround(element: Element): Element | undefined {
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    const { overflowX, overflowY, display, textOverflow } = getComputedStyle(at);
    // The text is truncated intentionally, like file names.
    if (textOverflow === "ellipsis") return undefined;
    if (display === "inline" || display === "contents") continue;
    if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return undefined;
    if (/hidden|clip/.test(`${overflowX} ${overflowY}`) || at.matches("button, label, .typebot-input")) return at;
  }
  return undefined;
}

/** Glyphs are slightly higher and wider than their boxes. */
const tolerance = 3;

function isBeyond(words: DOMRect, box: DOMRect): boolean {
  return (
    words.left < box.left - tolerance ||
    words.right > box.right + tolerance ||
    words.top < box.top - tolerance ||
    words.bottom > box.bottom + tolerance
  );
}

const controls = "button, select, textarea, input:not([type=hidden], [type=file], [type=range]), label:has(input)";

/** Returns controls whose centre is covered by another element. */
function coveredControls(): string[] {
  return [...document.querySelectorAll(`form :is(${controls}), .chat-dock button`)].flatMap((control) => {
    if (!isSeen(control)) return [];
    const part = control.closest("label") ?? control;
    const { left, top, width, height } = part.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (width < 2 || !isInSight(part, x, y)) return [];
    const met = document.elementFromPoint(x, y);
    if (!met || part.contains(met) || met.contains(part) || met.closest("label")?.contains(control)) return [];
    return [`covered: ${nameOf(part)} by ${nameOf(met)}`];
  });
}

/** Whether a point of an element is visible in the window and in all scrolling containers. */
function isInSight(element: Element, x: number, y: number): boolean {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const { left, right, top, bottom } = at.getBoundingClientRect();
    const isClipping = !/visible/.test(getComputedStyle(at).overflowY) && at !== document.body;
    if (isClipping && (x < left || x > right || y < top || y > bottom)) return false;
  }
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

/**
 * Returns controls without an edge. With forced colours, there are no backgrounds, so a control needs a border or must
 * be in a box with a border.
 */
function edgelessControls(): string[] {
  return [...document.querySelectorAll("form :is(button, select, textarea, input:not([type=hidden]))")].flatMap(
    (control) => {
      if (!isSeen(control) || control.clientWidth < 4 || control.matches("[type=radio], [type=checkbox]")) return [];
      for (let at: Element | null = control; at && at.tagName !== "FORM"; at = at.parentElement) {
        const { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth, borderTopColor } = getComputedStyle(at);
        const hasBorder =
          borderTopStyle !== "none" && Number.parseFloat(borderTopWidth) > 0 && colorOf(borderTopColor)[3] > 0;
        if (hasBorder || (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0)) return [];
      }
      return [`no edge: ${nameOf(control)}`];
    },
  );
}

function motion(): string[] {
  const running = document.getAnimations().filter(({ playState }) => playState === "running");
  return running.map(({ effect }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    return `moves: ${target ? nameOf(target) : "something"}`;
  });
}

const unseen = ".visually-hidden, option, noscript, script, style, [aria-hidden=true]:not(svg)";

function isSeen(element: Element): boolean {
  return !element.closest(unseen) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

function nameOf(element: Element): string {
  const name = `${element.tagName.toLowerCase()}.${[...element.classList].join(".")}`;
  return `${name} "${(element.textContent ?? "").trim().slice(0, 30)}"`;
}
