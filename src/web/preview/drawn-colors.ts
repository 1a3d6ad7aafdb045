import { hexOf } from "../../core/theme/accent.ts";
import { blend, contrast, type Paint, type Rgb } from "../../core/theme/colors.ts";
import { type DrawnName, type DrawnPair, type DrawnPairs, drawnNames } from "../../core/theme/drawn-things.ts";
import { groundOf, readComputed } from "./ground.ts";
import { partOf } from "./parts.ts";

type Pair = { readonly color: Rgb; readonly behind: Rgb };

/**
 * Measures the colors of each type of element on the drawn page, at the least visible element of the type. Types whose
 * colors cannot be determined are omitted.
 */
export function drawnPairs(): DrawnPairs {
  const worst = new Map<DrawnName, Pair>();
  for (const [name, pair] of pairs()) {
    const known = worst.get(name);
    if (!known || contrast(pair.color, pair.behind) < contrast(known.color, known.behind)) worst.set(name, pair);
  }
  const written = [...worst].map(([name, { color, behind }]): [string, DrawnPair] => [
    name,
    { color: hexOf(color), behind: hexOf(behind) },
  ]);
  return Object.fromEntries(written);
}

function* pairs(): Generator<[DrawnName, Pair]> {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set<Element>();
  while (walker.nextNode()) {
    const { parentElement: element, nodeValue } = walker.currentNode;
    if (!element || seen.has(element) || (nodeValue ?? "").trim() === "") continue;
    seen.add(element);
    const name = nameOf(element);
    if (name && isSeen(element)) yield* textOf(name, element);
  }
  for (const field of document.querySelectorAll<HTMLElement>(fields)) {
    if (!isSeen(field)) continue;
    yield* textOf("inputs", field);
    if (field.matches(":placeholder-shown")) yield* textOf("placeholder", field, "::placeholder");
    const box = field.closest(".typebot-input");
    if (box) yield* edgeOf(box);
  }
}

const fields = ".text-input, .typebot-input select, .typebot-input input:not([type=checkbox], [type=radio])";

function nameOf(element: Element): DrawnName | undefined {
  const part = partOf(element);
  if (!part || element.closest("option, :disabled")) return undefined;
  return drawnNames.find((name) => name === part);
}

function isSeen(element: Element): boolean {
  // Text that is only for screen readers has a box of one pixel.
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
}

function* textOf(name: DrawnName, element: Element, pseudo?: string): Generator<[DrawnName, Pair]> {
  const style = getComputedStyle(element, pseudo);
  const ink = readComputed(style.getPropertyValue("-webkit-text-fill-color"));
  const behind = groundOf(element);
  if (!ink || !behind || style.opacity !== "1") return;
  const pair = { color: blend(ink, behind), behind };
  if (isLarge(style) && contrast(pair.color, behind) >= largeRatio) return;
  yield [name, pair];
}

function isLarge({ fontSize, fontWeight }: CSSStyleDeclaration): boolean {
  const size = Number.parseFloat(fontSize);
  return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
}

const largeRatio = 3;

/**
 * Yields the most visible edge of a field, which is its fill or one of its lines. Yields nothing if the edge cannot be
 * determined.
 */
function* edgeOf(box: Element): Generator<[DrawnName, Pair]> {
  // A focused field has a different line.
  if (box.matches(":focus-within")) return;
  const around = box.parentElement && groundOf(box.parentElement);
  const fill = groundOf(box);
  if (!around || !fill) return;
  const style = getComputedStyle(box);
  // A shadow may replace the line.
  if ((readComputed(shadowColor(style)) ?? clear).alpha > faintShadow) return;
  const lines = ["top", "right", "bottom", "left"].flatMap((side) => {
    const width = Number.parseFloat(style.getPropertyValue(`border-${side}-width`));
    const color = readComputed(style.getPropertyValue(`border-${side}-color`));
    return width > 0 && color ? [blend(color, around)] : [];
  });
  const [best = fill] = [fill, ...lines].sort((a, b) => contrast(b, around) - contrast(a, around));
  yield ["fieldEdge", { color: best, behind: around }];
}

const clear: Paint = { rgb: [0, 0, 0], alpha: 0 };
const faintShadow = 0.2;

function shadowColor({ boxShadow }: CSSStyleDeclaration): string {
  return /^[a-z]+\([^)]*\)/.exec(boxShadow)?.[0] ?? "transparent";
}

/**
 * Calls `onDrawn` after the page has changed and all movement has ended. `look` requests another call even if nothing
 * has changed.
 */
export function watchDrawn(onDrawn: (pairs: DrawnPairs) => void): { look(): void } {
  let timer = 0;
  const look = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void judge(), pauseMs);
  };
  const judge = async (): Promise<void> => {
    const moving = document.getAnimations().filter(isEnding);
    if (moving.length === 0) return onDrawn(drawnPairs());
    await Promise.allSettled(moving.map(({ finished }) => finished));
    look();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  return { look };
}

/** Whether an animation ends. The typing dots move endlessly. */
function isEnding({ playState, effect }: Animation): boolean {
  return playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
}

/** The pause before the colors are measured, because an author types a color letter by letter. */
const pauseMs = 150;
