/** @jsxImportSource preact */
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { hexOf } from "../../../core/theme/accent.ts";
import { backgroundOf, colorOf, paletteOf } from "../../../core/theme/backgrounds.ts";
import { darkVariant } from "../../../core/theme/variant.ts";
import type { ThemeContext } from "../../conversation/theme/theme.ts";
import { darkMedia, lightMedia } from "../../conversation/theme/theme-sheets.ts";

type Props = { readonly theme: Theme; readonly context: ThemeContext; readonly followsScheme: boolean };

/** The color of the page's background, which phones use for their bars. Nothing is rendered for a picture. */
export function ThemeColors({ theme, context, followsScheme }: Props) {
  const color = pageColor(theme, context);
  if (!followsScheme) return <ThemeColor color={color} />;
  const dark = pageColor(darkVariant(theme) ?? theme, { ...context, isDark: true });
  return (
    <>
      <ThemeColor color={color} media={lightMedia} />
      <ThemeColor color={dark} media={darkMedia} />
    </>
  );
}

function ThemeColor({ color, media }: { color: string | undefined; media?: string }) {
  return color === undefined ? null : <meta name="theme-color" content={color} media={media} />;
}

/** Returns the color of a page's background, or undefined for a picture. */
export function pageColor(theme: Theme, { version, backgroundUrl, isDark }: ThemeContext = {}): string | undefined {
  const palette = paletteOf(version, { isDark });
  const color = colorOf(backgroundOf(theme, palette, backgroundUrl), palette);
  return color && hexOf(color);
}
