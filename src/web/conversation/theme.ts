import { blend, inkOn, isDark, type Rgb, readPaint, rgbOf, standingOut } from "./colors.ts";
import { safeSource } from "./links.ts";
import { at, filledTextAt, flagAt, numberAt, textAt } from "./read.ts";
import {
  type BoxName,
  type Ground,
  groundOf,
  opacityOf,
  type Suit,
  suitOf,
  surfaceOf,
  underneath,
} from "./theme-surfaces.ts";
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

/** What a theme is drawn with besides itself. */
export type ThemeContext = {
  /** Version of the flow, which says what a theme leaves open. */
  readonly version?: unknown;
  /** The background that the last step named. */
  readonly backgroundUrl?: string | undefined;
};

/**
 * The custom properties that a theme sets, by the names that custom CSS in the wild knows (`--typebot-…`), and those that
 * follow from them (`--parley-…`): ink that is easy to read on the theme's colours. What the theme leaves open, and what is no
 * value of its kind, is left to the style sheet.
 */
export function themeProperties(theme: unknown, { version, backgroundUrl }: ThemeContext = {}): Properties {
  const found = new Map<string, string>();
  const set: Set = (name, value) => {
    if (value !== undefined && value !== "") found.set(name, String(value));
  };
  const suit = suitOf(version);
  const ground = groundOf(theme, suit, backgroundUrl);
  const chat = at(theme, "chat");
  const fallback = textAt(chat, "roundness");

  background(theme, { set, backgroundUrl });
  const family = fontOf(theme)?.family;
  if (family) set("--typebot-container-font-family", `${familyValue(family)}, var(--parley-font)`);
  progressBar(at(theme, "general", "progressBar"), set);
  container(at(chat, "container"), set);
  for (const [name, key] of boxes) {
    const behind = surfaceOf(theme, key, { suit, ground });
    box(`--typebot-${name}`, at(chat, key), { set, fallback, behind });
  }
  hostLine(theme, { set, suit, ground });
  inputs(theme, { set, suit, ground });
  if (textAt(chat, "buttonsInput", "layout") === "vertical") set("--typebot-buttons-input-flex-direction", "column");
  onGround(ground, set);
  focus(theme, { set, suit, ground });
  return found;
}

const boxes: readonly (readonly [name: string, key: BoxName])[] = [
  ["host-bubble", "hostBubbles"],
  ["guest-bubble", "guestBubbles"],
  ["input", "inputs"],
  ["button", "buttons"],
];

export type Font = {
  readonly family: string;
  readonly styleSheet: string | undefined;
  readonly css: string | undefined;
};

/** The font that a theme names. Google's families come from a mirror that keeps no record of visitors. */
export function fontOf(theme: unknown): Font | undefined {
  const font = at(theme, "general", "font");
  const family = typeof font === "string" ? font : filledTextAt(font, "family");
  if (!family || familyValue(family) === "") return undefined;
  if (typeof font !== "string" && textAt(font, "type") === "Custom") {
    return { family, styleSheet: safeSource(textAt(font, "url")), css: filledTextAt(font, "css") };
  }
  const name = encodeURIComponent(family.toWellFormed()).replaceAll("%20", "+");
  return { family, styleSheet: `https://fonts.bunny.net/css2?family=${name}:wght@400;600;700`, css: undefined };
}

/** Whether the page may follow the visitor's wish for a dark page: the theme has chosen no colour of its own. */
export function mayBeDark(theme: unknown): boolean {
  return !/"(backgroundColor|color|content|placeholderColor)":"[^"]|"customCss":"[^"]/.test(
    JSON.stringify(theme ?? {}),
  );
}

/** Whether the chat stands on a dark colour, so that the browser's own parts (scroll bars, pickers) are dark, too. */
export function isDarkTheme(theme: unknown, { version, backgroundUrl }: ThemeContext = {}): boolean {
  const ground = groundOf(theme, suitOf(version), backgroundUrl);
  return ground.kind === "color" && isDark(ground.rgb);
}

/** Which of the style sheet's colours stand for those that the theme leaves open: the value of `data-defaults`. */
export function defaultsOf(version: unknown): "6" | "6.1" {
  return version === "6.1" ? "6.1" : "6";
}

type Set = (name: string, value: string | number | undefined) => void;

function background(theme: unknown, { set, backgroundUrl }: { set: Set; backgroundUrl: string | undefined }): void {
  const type = textAt(theme, "general", "background", "type") ?? "Color";
  const content = backgroundUrl ?? textAt(theme, "general", "background", "content");
  if (type === "None") set("--typebot-container-bg-color", "transparent");
  if (type === "Color") set("--typebot-container-bg-color", colorValue(content));
  if (type === "Image") set("--typebot-container-bg-image", imageValue(content));
}

function progressBar(bar: unknown, set: Set): void {
  if (flagAt(bar, "isEnabled") !== true) return;
  const isBottom = textAt(bar, "placement") === "Bottom";
  set("--typebot-progress-bar-color", colorValue(textAt(bar, "color")));
  set("--typebot-progress-bar-bg-rgb", rgbValue(textAt(bar, "backgroundColor")));
  set("--parley-progress-bar-opacity", readPaint(textAt(bar, "backgroundColor"))?.alpha);
  set("--typebot-progress-bar-height", pixelValue(numberAt(bar, "thickness")));
  set("--typebot-progress-bar-position", textAt(bar, "position") === "fixed" ? "fixed" : "absolute");
  set("--typebot-progress-bar-top", isBottom ? "auto" : "0");
  set("--typebot-progress-bar-bottom", isBottom ? "0" : "auto");
}

/** The column that the chat stands in; one that is not as high as the page scrolls by itself. */
function container(theme: unknown, set: Set): void {
  const name = "--typebot-chat-container";
  set(`${name}-max-width`, lengthValue(textAt(theme, "maxWidth")));
  const height = lengthValue(textAt(theme, "maxHeight"));
  if (height !== undefined && height !== "100%" && height !== "none") {
    // A share of the page: the column's own parent grows with what is in it.
    set(`${name}-max-height`, height.replace(/^([\d.]+)%$/, "$1vh"));
    set("--parley-chat-overflow", "auto");
  }
  box(name, theme, { set, fallback: undefined, behind: undefined });
  const paint = readPaint(textAt(theme, "backgroundColor"));
  set(`${name}-opacity`, paint && (opacityOf(theme) ?? 1));
}

type BoxTools = {
  readonly set: Set;
  /** How round it is where it does not say. */
  readonly fallback: string | undefined;
  /** The colour behind its text, where that is known. */
  readonly behind: Rgb | undefined;
};

/** The properties of one kind of box: bubbles, buttons, inputs, the chat itself. */
function box(name: string, theme: unknown, { set, fallback, behind }: BoxTools): void {
  const backgroundColor = textAt(theme, "backgroundColor");
  const opacity = opacityOf(theme);
  const isPainted = readPaint(backgroundColor) !== undefined || opacity !== undefined;
  set(`${name}-bg-rgb`, rgbValue(backgroundColor));
  set(`${name}-color`, colorValue(textAt(theme, "color")) ?? (isPainted && behind ? inkOn(behind) : undefined));
  set(`${name}-opacity`, opacity);
  const blur = numberAt(theme, "blur") ?? 0;
  if (blur > 0) {
    set(`${name}-blur`, pixelValue(blur));
    set(`${name.replace("--typebot", "--parley")}-backdrop`, `blur(var(${name}-blur))`);
  }
  set(`${name}-box-shadow`, shadowValue(textAt(theme, "shadow")));
  const border = at(theme, "border");
  // The word is misspelt in every stored theme.
  const roundness = textAt(border, "roundeness") ?? fallback;
  set(`${name}-border-radius`, radiusValue(roundness, numberAt(border, "customRoundeness")));
  set(`${name}-border-width`, pixelValue(numberAt(border, "thickness")));
  set(`${name}-border-rgb`, rgbValue(textAt(border, "color")));
  const borderOpacity = numberAt(border, "opacity");
  set(`${name}-border-opacity`, borderOpacity && Math.min(1, Math.max(0, borderOpacity)));
}

/** The line around the bot's bubbles, where the theme colours these and not the line: a little of the ink. */
function hostLine(theme: unknown, { set, suit, ground }: { set: Set; suit: Suit; ground: Ground }): void {
  const given = at(theme, "chat", "hostBubbles");
  const behind = surfaceOf(theme, "hostBubbles", { suit, ground });
  const isPainted = readPaint(textAt(given, "backgroundColor")) !== undefined;
  const ink = behind && isPainted ? rgbOf(inkOn(behind)) : undefined;
  if (behind && ink) set("--parley-host-line", blend({ rgb: ink, alpha: 0.14 }, behind).join(", "));
}

/** What follows for fields and for what is ticked. */
function inputs(theme: unknown, { set, suit, ground }: { set: Set; suit: Suit; ground: Ground }): void {
  const given = at(theme, "chat", "inputs");
  const placeholder = colorValue(textAt(given, "placeholderColor"));
  set("--typebot-input-placeholder-color", placeholder);
  set("--typebot-checkbox-bg-rgb", rgbValue(textAt(given, "backgroundColor")));
  const behind = surfaceOf(theme, "inputs", { suit, ground });
  if (behind === undefined || (readPaint(textAt(given, "backgroundColor")) ?? opacityOf(given)) === undefined) return;
  set("--parley-placeholder", standingOut(behind, 4.5, ["#6b6560", "#a39b93"]));
  set("--parley-field-scheme", isDark(behind) ? "dark" : "light");
}

/** The ring around what has the focus: like the buttons, where that stands out from the page. */
function focus(theme: unknown, { set, suit, ground }: { set: Set; suit: Suit; ground: Ground }): void {
  const button = rgbValue(textAt(theme, "chat", "buttons", "backgroundColor"));
  const under = underneath(ground, suit);
  if (button === undefined && ground.kind !== "color") return;
  const color = `rgb(${button ?? suit.buttons.background.join(", ")})`;
  set("--parley-focus", standingOut(under ?? suit.ground, 3, [color, "#1d4ed8", "#bfdbfe"]));
}

/** What stands on the page itself, without a box around it. */
function onGround(ground: Ground, set: Set): void {
  if (ground.kind === "open") return;
  if (ground.kind === "picture") {
    set("--selectable-alpha-ratio", 3);
    // Nobody knows the colours of a picture: small text brings its own.
    set("--parley-plate", "rgb(255 255 255 / 90%)");
    set("--parley-plate-space", "0.125rem 0.5rem");
    return;
  }
  const { rgb } = ground;
  set("--selectable-alpha-ratio", isDark(rgb) ? 2 : 1);
  set("--parley-ink", standingOut(rgb, 7, ["#27272a", "#f5f3f0"]));
  set("--parley-muted", standingOut(rgb, 4.5, ["#57534e", "#c9c4be"]));
  set("--parley-error", standingOut(rgb, 4.5, ["#b91c1c", "#fecaca"]));
  set("--parley-line", isDark(rgb) ? "#5a544e" : "#d6d3d1");
  set("--parley-field-line", rgbValue(standingOut(rgb, 3, ["#8c8681", "#a8a29e"])));
}
