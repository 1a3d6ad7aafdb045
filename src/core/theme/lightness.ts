import { type Rgb, rgbOf } from "./colors.ts";

type Move =
  | { readonly by: number }
  /** `chroma`: the maximum chroma of the colour. */
  | { readonly to: number; readonly chroma: number };

/** Returns a colour with the same hue and another OKLCH lightness from 0 to 1, as `#rrggbb`. */
export function moveLightness(color: string, move: Move): string {
  const [lightness, a, b] = oklabOf(rgbOf(color) ?? [0, 0, 0]);
  const chroma = Math.hypot(a, b);
  const most = "to" in move ? move.chroma : chroma;
  const scale = chroma === 0 ? 0 : Math.min(1, most / chroma);
  const next = "to" in move ? move.to : lightness + move.by;
  return hexOf([Math.min(1, Math.max(0, next)), a * scale, b * scale]);
}

/** Converts a colour from sRGB to OKLab. Source: https://bottosson.github.io/posts/oklab/ */
function oklabOf(rgb: Rgb): readonly [number, number, number] {
  const [r = 0, g = 0, b = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function hexOf([lightness, a, b]: readonly [number, number, number]): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const parts = linear.map((part) => {
    const share = Math.min(1, Math.max(0, part));
    const shown = share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055;
    return Math.round(shown * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
