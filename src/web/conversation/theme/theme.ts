import { darkColors, defaultColors } from "../../../core/interpreter/schemas/default-colors.ts";
import { lookDefaults } from "../../../core/interpreter/schemas/default-look.ts";
import type {
  BoxName,
  BoxTheme,
  ContainerTheme,
  ProgressBarTheme,
  Theme,
} from "../../../core/interpreter/schemas/theme.ts";
import {
  type Background,
  backgroundOf,
  boxColor,
  colorOf,
  opacityOf,
  type Palette,
  paletteOf,
} from "../../../core/theme/backgrounds.ts";
import {
  blend,
  contrast,
  firstWithContrast,
  inkOn,
  isDark,
  type Rgb,
  readPaint,
  rgbOf,
} from "../../../core/theme/colors.ts";
import { marksOf } from "../../../core/theme/marks.ts";
import { groundOfSheet, type SheetGround } from "../../../core/theme/sheet-ground.ts";
import { safeSource } from "../links.ts";
import {
  colorValue,
  familyValue,
  imageValue,
  lengthValue,
  pixelValue,
  radiusValue,
  rgbValue,
  shadowValue,
} from "./theme-values.ts";

/** CSS properties of the page's outermost element, `.typebot-container`, by name. */
export type Properties = ReadonlyMap<string, string>;

/** Facts other than the theme that determine a theme's properties. */
export type ThemeContext = {
  /** The version of the flow, which determines the theme's defaults. */
  readonly version?: string | undefined;
  /** The background that the last step specified. */
  readonly backgroundUrl?: string | undefined;
  /** Whether unset values of the theme have the defaults of dark pages. */
  readonly isDark?: boolean;
};

/**
 * Returns the custom properties that a theme sets. `--typebot-…` are the names that existing custom CSS uses.
 * `--parley-…` are derived from them, such as text colors that are readable on the theme's colors. The style sheet
 * supplies values that are absent or invalid.
 */
export function themeProperties(theme: Theme, { version, backgroundUrl, isDark }: ThemeContext = {}): Properties {
  const found = new Map<string, string>();
  const set: Set = (name, value) => {
    if (value !== undefined && value !== "") found.set(name, String(value));
  };
  const palette = paletteOf(version, { isDark });
  const background = backgroundOf(theme, palette, backgroundUrl);
  const colors = { set, palette, background };
  const { general = {}, chat = {} } = theme;

  pageBackground(theme, { set, backgroundUrl });
  const family = fontOf(theme)?.family;
  if (family) set("--typebot-container-font-family", `${familyValue(family)}, var(--parley-font)`);
  progressBar(general.progressBar, set);
  container(chat.container, set);
  for (const [name, key] of boxes) {
    const behind = boxColor(theme, key, colors);
    box(`--typebot-${name}`, chat[key], { set, defaultRoundness: chat.roundness, behind });
  }
  hostLine(theme, colors);
  inputs(theme, colors);
  marks(theme, colors);
  if (chat.buttonsInput?.layout === "vertical") set("--typebot-buttons-input-flex-direction", "column");
  onBackground(background, set);
  focus(theme, colors);
  edges(theme, colors);
  longTexts(theme, colors);
  return found;
}

const boxes: readonly (readonly [name: string, key: BoxName])[] = [
  ["host-bubble", "hostBubbles"],
  ["guest-bubble", "guestBubbles"],
  ["input", "inputs"],
  ["button", "buttons"],
];

/**
 * Returns the theme's font; undefined if the theme sets none. Google's font families are loaded from a mirror that does
 * not log visitors.
 */
export function fontOf({ general }: Theme) {
  const font = typeof general?.font === "string" ? { family: general.font } : general?.font;
  const family = font?.family;
  if (!family || familyValue(family) === "") return undefined;
  if (font.type === "Custom") return { family, styleSheet: safeSource(font.url), css: font.css || undefined };
  const name = encodeURIComponent(family.toWellFormed()).replaceAll("%20", "+");
  return {
    family,
    styleSheet: `https://fonts.bunny.net/css2?family=${name}:wght@400;600;700&display=swap`,
    css: undefined,
  };
}

/**
 * Whether the page may follow the visitor's color scheme: the theme must have a dark variant, or set neither colors nor
 * custom CSS.
 */
export function mayBeDark({ general = {}, chat = {}, customCss, dark }: Theme): boolean {
  if (dark) return true;
  const { container, hostBubbles, guestBubbles, inputs, buttons } = chat;
  const boxes = [container, hostBubbles, guestBubbles, inputs, buttons];
  const colors = boxes.flatMap((box) => [box?.backgroundColor, box?.color, box?.border?.color]);
  const bar = [general.progressBar?.backgroundColor, general.progressBar?.color];
  return ![...colors, ...bar, general.background?.content, inputs?.placeholderColor, customCss].some(Boolean);
}

/** Whether the chat's background is dark, so that scroll bars and pickers must be dark too. */
export function isDarkTheme(theme: Theme, { version, backgroundUrl, isDark: isDarkPage }: ThemeContext = {}): boolean {
  const background = backgroundOf(theme, paletteOf(version, { isDark: isDarkPage }), backgroundUrl);
  return background.kind === "color" ? isDark(background.rgb) : (isDarkPage ?? false);
}

/** Returns which default colors of the style sheet apply, as the value of `data-defaults`. */
export function defaultsOf(version: string | undefined): "6" | "6.1" {
  return version === "6.1" ? "6.1" : "6";
}

type Set = (name: string, value: string | number | undefined) => void;

type Colors = { readonly set: Set; readonly palette: Palette; readonly background: Background };

function pageBackground(
  { general }: Theme,
  { set, backgroundUrl }: { set: Set; backgroundUrl: string | undefined },
): void {
  const { type = lookDefaults.backgroundType, content = undefined } = general?.background ?? {};
  const shown = backgroundUrl ?? content;
  if (type === "None") set("--typebot-container-bg-color", "transparent");
  if (type === "Color") set("--typebot-container-bg-color", colorValue(shown));
  if (type === "Image") set("--typebot-container-bg-image", imageValue(shown));
}

function progressBar(bar: ProgressBarTheme | undefined, set: Set): void {
  if (!bar?.isEnabled) return;
  const { placement, position, thickness } = { ...lookDefaults.progressBar, ...bar };
  const isBottom = placement === "Bottom";
  set("--typebot-progress-bar-color", colorValue(bar.color));
  set("--typebot-progress-bar-bg-rgb", rgbValue(bar.backgroundColor));
  set("--parley-progress-bar-opacity", readPaint(bar.backgroundColor)?.alpha);
  set("--typebot-progress-bar-height", pixelValue(bar.thickness));
  // This property is only a default, because a page around the chat may set `--typebot-progress-bar-height` itself.
  set("--parley-progress-bar-height", pixelValue(thickness));
  set("--typebot-progress-bar-position", position === "fixed" ? "fixed" : "absolute");
  set("--typebot-progress-bar-top", isBottom ? "auto" : "0");
  set("--typebot-progress-bar-bottom", isBottom ? "0" : "auto");
}

/** Sets the properties of the chat's column. A column with its own height scrolls separately. */
function container(theme: ContainerTheme | undefined, set: Set): void {
  const name = "--typebot-chat-container";
  set(`${name}-max-width`, lengthValue(theme?.maxWidth));
  const height = lengthValue(theme?.maxHeight);
  if (height !== undefined && height !== lookDefaults.maxHeight && height !== "none") {
    // A percentage is converted to `vh`, because the column's parent has no height of its own.
    set(`${name}-max-height`, height.replace(/^([\d.]+)%$/, "$1vh"));
    set("--parley-chat-overflow", "auto");
  }
  box(name, theme, { set, defaultRoundness: undefined, behind: undefined });
  const paint = readPaint(theme?.backgroundColor);
  set(`${name}-opacity`, paint && (opacityOf(theme) ?? lookDefaults.opacity));
}

type BoxTools = {
  readonly set: Set;
  /** The roundness of the box if the theme sets none. */
  readonly defaultRoundness: string | undefined;
  /** The color behind the text of the box, if known. */
  readonly behind: Rgb | undefined;
};

/** Sets the properties of one kind of box: bubbles, buttons, inputs or the chat itself. */
function box(name: string, theme: BoxTheme = {}, { set, defaultRoundness, behind }: BoxTools): void {
  const { backgroundColor, color, blur = lookDefaults.blur, shadow, border = {} } = theme;
  const opacity = opacityOf(theme);
  const isPainted = readPaint(backgroundColor) !== undefined || opacity !== undefined;
  set(`${name}-bg-rgb`, rgbValue(backgroundColor));
  set(`${name}-color`, colorValue(color) ?? (isPainted && behind ? inkOn(behind) : undefined));
  set(`${name}-opacity`, opacity);
  if (blur > 0) {
    set(`${name}-blur`, pixelValue(blur));
    set(`${name.replace("--typebot", "--parley")}-backdrop`, `blur(var(${name}-blur))`);
  }
  set(`${name}-box-shadow`, shadowValue(shadow));
  set(`${name}-border-radius`, radiusValue(border.roundeness ?? defaultRoundness, border.customRoundeness));
  set(`${name}-border-width`, pixelValue(border.thickness));
  set(`${name}-border-rgb`, rgbValue(border.color));
  set(`${name}-border-opacity`, border.opacity && Math.min(1, Math.max(0, border.opacity)));
}

/** Sets the border of the bot's bubbles if the theme sets their background: a faint tint of the text color. */
function hostLine(theme: Theme, { set, palette, background }: Colors): void {
  const behind = boxColor(theme, "hostBubbles", { palette, background });
  const isPainted = readPaint(theme.chat?.hostBubbles?.backgroundColor) !== undefined;
  const ink = behind && isPainted ? rgbOf(inkOn(behind)) : undefined;
  if (behind && ink) set("--parley-host-line", blend({ rgb: ink, alpha: 0.14 }, behind).join(", "));
}

function inputs(theme: Theme, { set, palette, background }: Colors): void {
  const { inputs: fields } = theme.chat ?? {};
  set("--typebot-input-placeholder-color", colorValue(fields?.placeholderColor));
  set("--typebot-checkbox-bg-rgb", rgbValue(fields?.backgroundColor));
  const behind = boxColor(theme, "inputs", { palette, background });
  // If a picture shows through the field, only the color of the field's text is certain to be visible.
  if (behind === undefined) set("--parley-placeholder", "currentColor");
  if (behind === undefined || (readPaint(fields?.backgroundColor) ?? opacityOf(fields)) === undefined) return;
  set("--parley-placeholder", firstWithContrast(behind, 4.5, placeholders));
  set("--parley-field-scheme", isDark(behind) ? "dark" : "light");
}

/** The colors of placeholders on light and dark pages. */
const placeholders = [defaultColors["6.1"].placeholder, darkColors.placeholder];

/**
 * Sets the colors that mark chosen options. Colors that the theme does not determine are left to the style sheet,
 * because the page may be dark.
 */
function marks(theme: Theme, { set, palette, background }: Colors): void {
  const { fill, mark, ink, isButtons, isLineSeen } = marksOf(theme, { palette, background });
  if (!isButtons) set("--parley-mark", mark.join(", "));
  const { backgroundColor, color } = theme.chat?.buttons ?? {};
  if (!isButtons || backgroundColor || color) set("--parley-mark-ink", `rgb(${ink.join(", ")})`);
  if (!isLineSeen) set("--parley-option-line", "rgb(var(--parley-field-line))");
  if (background.kind !== "picture") return;
  // The colors of a picture are unknown, so each line contrasts with the option inside the line and not with the page.
  set("--parley-option-line", "currentColor");
  set("--parley-chosen-line", `rgb(${(fill ?? ink).join(", ")})`);
  const plain = fill ?? [255, 255, 255];
  set("--parley-plain-button", `rgb(${plain.join(", ")})`);
  set("--parley-plain-button-ink", inkOn(plain));
}

/** Sets the focus ring. It has the color of the buttons if this color has enough contrast to the page. */
function focus(theme: Theme, { set, palette, background }: Colors): void {
  const button = rgbValue(theme.chat?.buttons?.backgroundColor);
  if (button === undefined && background.kind !== "color") return;
  const color = `rgb(${button ?? palette.buttons.background.join(", ")})`;
  const behind = colorOf(background, palette) ?? palette.background;
  set("--parley-focus", firstWithContrast(behind, 3, [color, "#1d4ed8", "#bfdbfe"]));
}

/**
 * Sets the properties of long texts. They are drawn directly on the page, in the bubble's text color if it is readable
 * there. They keep the bubble's background if the page's color is unknown: over a picture, over a transparent
 * background, or if custom CSS paints the page or the bubbles.
 */
function longTexts({ general, chat, customCss = "" }: Theme, { set, palette, background }: Colors): void {
  const { type, content } = general?.background ?? {};
  const page = colorOf(background, palette);
  const isSeeThrough = type === "None" || (type === "Color" && (readPaint(content)?.alpha ?? 1) < 1);
  const bubble = "var(--typebot-host-bubble";
  if (page && !isSeeThrough && !/host-bubble|bubble-typing|typebot-container/.test(customCss)) {
    const ink = rgbOf(chat?.hostBubbles?.color);
    if (ink && contrast(ink, page) >= 4.5) set("--parley-text-ink", `rgb(${ink.join(", ")})`);
    return;
  }
  // The dock must show a background that only custom CSS sets.
  if (page && /typebot-container/.test(customCss)) set("--parley-dock", dockOn(groundOfSheet(customCss)));
  set("--parley-text-ink", `${bubble}-color, var(--parley-host-ink))`);
  set("--parley-text-ground", `rgba(${bubble}-bg-rgb, var(--parley-host)), ${bubble}-opacity, 1))`);
  set("--parley-text-line", `rgba(${bubble}-border-rgb, var(--parley-host-line)), ${bubble}-border-opacity, 1))`);
}

function dockOn(ground: SheetGround | undefined): string {
  const color = ground ? `rgb(${ground.rgb.join(" ")})` : "var(--typebot-container-bg-color, var(--parley-bg))";
  return ground?.isPlain ? color : `color-mix(in srgb, ${color} 60%, transparent)`;
}

/**
 * Hides the edge of choices if custom CSS paints them in a color that contrasts with the page. Otherwise, the edge has
 * the color of the buttons.
 */
function edges({ customCss = "" }: Theme, { set, palette, background }: Colors): void {
  const painted = groundOfSheet(customCss, "typebot-button");
  const page = colorOf(background, palette);
  if (painted && page && contrast(painted.rgb, page) >= 3) set("--parley-button-line", "transparent");
}

/** Sets properties of content that is drawn directly on the background. */
function onBackground(background: Background, set: Set): void {
  if (background.kind === "default") return;
  if (background.kind === "picture") {
    set("--selectable-alpha-ratio", 3);
    // The colors of a picture are unknown, so small text gets its own background.
    set("--parley-plate", "rgb(255 255 255 / 90%)");
    set("--parley-plate-space", "0.125rem 0.5rem");
    set("--parley-dock", "rgb(255 255 255 / 60%)");
    set("--parley-field-line", "87, 83, 78");
    return;
  }
  const { rgb } = background;
  set("--selectable-alpha-ratio", isDark(rgb) ? 2 : 1);
  set("--parley-ink", firstWithContrast(rgb, 7, ["#27272a", "#f5f3f0"]));
  set("--parley-muted", firstWithContrast(rgb, 4.5, ["#57534e", "#c9c4be"]));
  set("--parley-error", firstWithContrast(rgb, 4.5, ["#b91c1c", "#fecaca"]));
  set("--parley-line", isDark(rgb) ? "#5a544e" : "#d6d3d1");
  set("--parley-field-line", rgbValue(firstWithContrast(rgb, 3, ["#8c8681", "#a8a29e"])));
}
