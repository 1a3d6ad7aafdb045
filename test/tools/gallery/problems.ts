import { type Color, colorOf, contrastOf, groundsOf, over } from "./colors.ts";
import { findMisplaced } from "./places.ts";

/** Returns messages about elements with insufficient contrast or space, computed from the styles of the page. */
export function findProblems(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const problems = [
    ...(scrollWidth > clientWidth ? [`scrolls to the side: ${scrollWidth} > ${clientWidth}`] : []),
    ...texts(),
    ...placeholders(),
    ...icons(),
    ...edges(),
    ...focus(),
    ...choices(),
    ...findMisplaced(),
  ];
  return [...new Set(problems)];
}

const textRatio = 4.5;
const markRatio = 3;

function texts(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const problems: string[] = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!element || (walker.currentNode.nodeValue ?? "").trim() === "" || !isSeen(element)) continue;
    const style = getComputedStyle(element);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    problems.push(
      ...low(element, { what: "text", color: colorOf(style.color), ratio: isLarge ? markRatio : textRatio }),
    );
  }
  return problems;
}

function placeholders(): string[] {
  return seen<HTMLInputElement>("input[placeholder], textarea[placeholder]")
    .filter(({ value }) => value === "")
    .flatMap((field) => {
      const color = colorOf(getComputedStyle(field, "::placeholder").color);
      return low(field, { what: "placeholder", color, ratio: textRatio });
    });
}

function icons(): string[] {
  return seen("form :is(button, label) svg").flatMap((icon) => {
    const { fill, stroke } = getComputedStyle(icon.querySelector("path") ?? icon);
    const color = colorOf(fill === "none" ? stroke : fill);
    return low(icon, { what: "icon", color, ratio: markRatio });
  });
}

/**
 * Checks that each field and option contrasts with the page by its background or border, on every pixel of a picture.
 */
function edges(): string[] {
  const boxes = seen(
    "form :is(.text-input, select, .typebot-selectable, .option, .picture, .typebot-upload-input)",
  ).map(
    // A rating icon or a list row is part of a box.
    (field) => field.closest(".typebot-input, .option-list, .is-icons .rating-steps") ?? field,
  );
  return [...new Set(boxes)].flatMap((box) => {
    const line = lineOf(box);
    const fills = groundsOf(box);
    if (!line && colorOf(getComputedStyle(box).backgroundColor)[3] === 0) return [];
    const ratios = groundsOf(box.parentElement).map((ground, index) =>
      Math.max(
        contrastOf(fills[index] ?? fills[0] ?? ground, ground),
        line ? contrastOf(over(line, ground), ground) : 1,
      ),
    );
    return Math.min(...ratios) < markRatio ? [`edge ${rounded(Math.min(...ratios))}: ${nameOf(box)}`] : [];
  });
}

/**
 * Checks the ring around the focused element. No colour contrasts with every part of a picture, so over a picture, the
 * ring only has to exist.
 */
function focus(): string[] {
  const element = document.querySelector("[data-gallery-focus]");
  if (!element) return [];
  for (let at: Element | null = element; at && at.tagName !== "FORM"; at = at.parentElement) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(at);
    if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 1) continue;
    const grounds = groundsOf(at.parentElement);
    const ratios = grounds.map((ground) => contrastOf(over(colorOf(outlineColor), ground), ground));
    const least = Math.max(...ratios);
    return least < markRatio ? [`focus ${rounded(least)}: ${nameOf(at)}`] : [];
  }
  return [`focus is not seen: ${nameOf(element)}`];
}

/** Checks that a selected option differs from the other options not only by hue. */
function choices(): string[] {
  return [...document.querySelectorAll<HTMLInputElement>("form :checked:is([type=radio], [type=checkbox])")].flatMap(
    (chosen) => {
      const box = chosen.closest("label");
      // The browser's own checkmark is sufficient.
      if (!box || !isSeen(box) || (chosen.clientWidth > 10 && !chosen.matches(".visually-hidden"))) return [];
      const other = [
        ...document.querySelectorAll<HTMLInputElement>(`form [name="${chosen.name}"]:not(:checked)`),
      ].findLast((one) => one.closest("label")?.checkVisibility());
      const otherBox = other?.closest("label");
      if (!otherBox) return [];
      if (pictureStyle(box) !== pictureStyle(otherBox)) return [];
      const [one, two] = [colorsIn(box), colorsIn(otherBox)];
      const most = Math.max(...one.map((color, index) => contrastOf(color, two[index] ?? color)));
      return most < markRatio ? [`chosen ${rounded(most)}: ${nameOf(box)}`] : [];
    },
  );
}

/**
 * Returns the colours by which a selected box can differ from other boxes: its background, border, ring and icon, each
 * over the background behind it.
 */
function colorsIn(box: Element): Color[] {
  const [fill = [255, 255, 255, 1]] = groundsOf(box);
  const { boxShadow, outlineStyle, outlineColor } = getComputedStyle(box);
  const icon = box.querySelector("svg path");
  const paint = icon ? getComputedStyle(icon).fill : "none";
  const iconFill = paint === "none" ? undefined : colorOf(paint);
  const ring = /(?:rgba?|color)\([^)]*\)/.exec(boxShadow)?.[0];
  return [
    fill,
    over(lineOf(box) ?? [0, 0, 0, 0], fill),
    ring === undefined ? fill : over(colorOf(ring), fill),
    outlineStyle === "none" ? fill : over(colorOf(outlineColor), fill),
    iconFill ? over(iconFill, fill) : fill,
  ];
}

/** Returns the style of a picture in a box, because the picture's own colours are unknown. */
function pictureStyle(box: Element): string {
  const picture = box.querySelector("img");
  if (!picture) return "";
  const { opacity, filter } = getComputedStyle(picture);
  return `${opacity} ${filter}`;
}

type Mark = { readonly what: string; readonly color: Color; readonly ratio: number };

function low(element: Element, { what, color, ratio }: Mark): string[] {
  const [red, green, blue, alpha] = color;
  const seenColor: Color = [red, green, blue, alpha * opacityOf(element)];
  const least = Math.min(...groundsOf(element).map((ground) => contrastOf(over(seenColor, ground), ground)));
  return least < ratio ? [`${what} ${rounded(least)}: ${nameOf(element)}`] : [];
}

function lineOf(box: Element): Color | undefined {
  const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(box);
  const color = colorOf(borderTopColor);
  return Number.parseFloat(borderTopWidth) > 0 && borderTopStyle !== "none" && color[3] > 0 ? color : undefined;
}

function opacityOf(element: Element): number {
  let opacity = 1;
  for (let at: Element | null = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  return opacity;
}

function seen<Found extends Element = Element>(selector: string): Found[] {
  return [...document.querySelectorAll<Found>(selector)].filter(isSeen);
}

/** Elements that are not displayed, decorative, or disabled. */
const unseen = [
  ...[".visually-hidden", "option", "progress", "script", "style", "noscript"],
  ...["[disabled]", "[aria-disabled=true]", "[aria-hidden=true]:not(svg)"],
].join();

function isSeen(element: Element): boolean {
  if (element.closest(unseen)) return false;
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

function nameOf(element: Element): string {
  const name = `${element.tagName.toLowerCase()}.${[...element.classList].join(".")}`;
  return `${name} "${(element.textContent ?? "").trim().slice(0, 30)}"`;
}

/** Rounds down, because a ratio of 4.46 is insufficient and must not be shown as 4.5. */
function rounded(ratio: number): number {
  return Math.floor(ratio * 10) / 10;
}
