/** A colour of a page: red, green and blue from 0 to 255, and the opacity from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

const black: Color = [0, 0, 0, 1];
const white: Color = [255, 255, 255, 1];

/** Parses a colour in any notation of computed styles. */
export function colorOf(css: string): Color {
  const [red, green, blue, alpha = 1] = (/^rgba?\((.*)\)$/.exec(css)?.[1] ?? "").split(/[\s,/]+/).map(Number);
  if (red !== undefined && green !== undefined && blue !== undefined) return [red, green, blue, alpha];
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return white;
  pen.fillStyle = css;
  pen.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = pen.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

/** Returns the result of painting one colour over another. */
export function over([red, green, blue, alpha]: Color, [r, g, b]: Color): Color {
  const mix = (above: number, below: number) => above * alpha + below * (1 - alpha);
  return [mix(red, r), mix(green, g), mix(blue, b), 1];
}

/** Returns the contrast ratio of two opaque colours by WCAG 2. */
export function contrastOf(one: Color, other: Color): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Color): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * Returns the possible colours behind an element's content: a single colour or, if a picture is visible behind it, the
 * results for the darkest and the lightest pixel.
 */
export function groundsOf(element: Element | null): readonly Color[] {
  const layers: Color[] = [];
  let bases: readonly Color[] = [white];
  // The background of a message is its first child.
  const chain = function* () {
    for (let at = element; at; at = at.parentElement) {
      const ground = at.querySelector(":scope > .bubble-typing");
      if (ground) yield ground;
      yield at;
    }
  };
  for (const at of chain()) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at);
    const tint = /^linear-gradient\(((?:rgba?|color|oklab|oklch)\([^)]*\))/.exec(backgroundImage)?.[1];
    if (tint !== undefined) layers.push(colorOf(tint));
    if (backgroundImage.includes("url(")) {
      bases = [black, white];
      break;
    }
    const color = colorOf(backgroundColor);
    if (color[3] > 0) layers.push(color);
    if (color[3] === 1) break;
  }
  return bases.map((base) => layers.reduceRight((ground, layer) => over(layer, ground), base));
}
