import { blend, type Paint, type Rgb } from "../../core/theme/colors.ts";

/** Parses a color in any notation of computed styles. Returns undefined if the text is not a color. */
export function readComputed(css: string): Paint | undefined {
  const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(css);
  if (plain) {
    const [red = 0, green = 0, blue = 0] = plain.slice(1, 4).map(Number);
    return { rgb: [red, green, blue], alpha: Number(plain[4] ?? 1) };
  }
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!pen || !CSS.supports("color", css)) return undefined;
  pen.fillStyle = css;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = pen.getImageData(0, 0, 1, 1).data;
  return { rgb: [red, green, blue], alpha: alpha / 255 };
}

/**
 * Determines the color behind an element from the nearest layers that cover it, up to an opaque layer. Returns
 * undefined if the color is uncertain, for example because a picture shows or a layer covers only a part.
 */
export function groundOf(element: Element): Rgb | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) if (isMixed(getComputedStyle(at))) return undefined;
  const box = element.getBoundingClientRect();
  const layers: Paint[] = [];
  for (const layer of layersBehind(element)) {
    const style = getComputedStyle(layer);
    if (isMixed(style) || hasDrawnPseudo(layer)) return undefined;
    const paints = paintsOf(style);
    if (paints?.every(({ alpha }) => alpha === 0)) continue;
    const covers = coverage(layer, style, box);
    if (covers === "none") continue;
    if (covers === "part" || !paints) return undefined;
    for (const paint of paints) {
      if (paint.alpha === 1) return paintedOver(layers, paint.rgb);
      layers.push(paint);
    }
  }
  // Only the browser's canvas is behind the page. It is white in light schemes.
  const isDark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
  return isDark ? undefined : paintedOver(layers, [255, 255, 255]);
}

/**
 * Returns the colors of a layer, topmost first, or undefined if it has a picture. A gradient with a single color, such
 * as a tint, counts as a color.
 */
function paintsOf({ backgroundColor, backgroundImage }: CSSStyleDeclaration): Paint[] | undefined {
  const color = readComputed(backgroundColor);
  const images = backgroundImage.split(/, (?=none|[a-z-]+-gradient\()/).filter((image) => image !== "none");
  const tints = images.map((image) => {
    const [, from = "", to] = /^linear-gradient\(([a-z]+\([^()]*\)), ([a-z]+\([^()]*\))\)$/.exec(image) ?? [];
    return from === to ? readComputed(from) : undefined;
  });
  const paints = [...tints, color].filter((paint) => paint !== undefined);
  return paints.length === images.length + 1 ? paints : undefined;
}

function paintedOver(layers: readonly Paint[], under: Rgb): Rgb {
  return layers.reduceRight((ground, layer) => blend(layer, ground), under);
}

/**
 * Returns the elements that may be behind an element, nearest first. The background of a message is its first child.
 */
function* layersBehind(element: Element): Generator<Element> {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const ground = at.querySelector(":scope > .bubble-typing");
    if (ground && ground !== element && getComputedStyle(ground).display !== "none") yield ground;
    yield at;
  }
}

/** Whether an element is drawn in colors that differ from those in its styles. */
function isMixed({ opacity, filter, mixBlendMode, visibility, backgroundClip }: CSSStyleDeclaration): boolean {
  return (
    opacity !== "1" ||
    filter !== "none" ||
    mixBlendMode !== "normal" ||
    visibility !== "visible" ||
    backgroundClip.includes("text")
  );
}

function hasDrawnPseudo(layer: Element): boolean {
  return ["::before", "::after"].some((name) => {
    const { content, backgroundColor, backgroundImage } = getComputedStyle(layer, name);
    if (content === "none" || content === "normal") return false;
    return backgroundImage !== "none" || readComputed(backgroundColor)?.alpha !== 0;
  });
}

/**
 * Returns which part of a box a layer covers. The page covers everything, and so does a layer whose content scrolls.
 */
function coverage(layer: Element, { overflowY }: CSSStyleDeclaration, box: DOMRect): "all" | "part" | "none" {
  if (layer === document.body || layer === document.documentElement || overflowY !== "visible") return "all";
  const { left, right, top, bottom } = layer.getBoundingClientRect();
  if (right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom) return "none";
  const isWithin =
    left <= box.left + slack && right >= box.right - slack && top <= box.top + slack && bottom >= box.bottom - slack;
  return isWithin ? "all" : "part";
}

/** A letter may extend beyond its box by up to two pixels. */
const slack = 2;
