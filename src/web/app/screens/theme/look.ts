import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import { defaultColors } from "../../../../core/interpreter/schemas/default-colors.ts";
import { rgbOf } from "../../../../core/theme/colors.ts";
import {
  type Shape,
  type StyledTheme,
  type StyleName,
  styleNames,
  themeOfStyle,
} from "../../../../core/theme/styles.ts";
import { valueAt } from "../../forms/index.ts";

/** The default main colour for a style. */
export const usualMain = "#1f5c4d";

/** Returns the main colour of a page whose theme sets none, according to the version of the flow. */
export function defaultMain(version: unknown): string {
  return defaultColors[version === "6.1" ? "6.1" : "6"].buttons.backgroundColor;
}

/** The part of a theme, or of its dark mode, that a style sets. */
type Look = Omit<StyledTheme, "dark">;

/** Returns a theme in a style, including its dark mode. Fields that no style sets are kept. */
export function withStyle(theme: JsonObject, style: StyleName, main: string, shape: Shape = {}): JsonObject {
  const { dark, ...light } = themeOfStyle(style, main, shape);
  return { ...withLook(theme, light), dark: withLook(objectAt(theme, "dark"), lookOf(dark)) };
}

/**
 * Returns a theme with another main colour. A theme in a style stays in the style. In a custom theme, only the buttons
 * and the visitor's bubbles change. A theme without a dark mode does not get one.
 */
export function withMain(theme: JsonObject, main: string): JsonObject {
  const style = styleOf(theme);
  const { dark: night, ...light } = themeOfStyle(style ?? "clear", main, style && shapeOf(theme));
  const dark = objectAt(theme, "dark");
  const isStyled = style !== undefined && isOfStyle(dark, style, "dark");
  return {
    ...(style === undefined ? withColors(theme, light, () => true) : withLook(theme, light)),
    ...(Object.keys(dark).length > 0 && {
      dark: isStyled
        ? withLook(dark, lookOf(night))
        : // Colours that the dark mode does not set follow the theme.
          withColors(dark, lookOf(night), (part) => valueAt(dark, ["chat", part, "backgroundColor"]) !== undefined),
    }),
  };
}

/** Returns the style of a theme, if none of the style's values was changed. The roundness may be that of a brand. */
export function styleOf(theme: object): StyleName | undefined {
  return styleNames.find((style) => isOfStyle(theme, style, "light"));
}

/**
 * Returns the main colour of a theme as `#rrggbb`: the background colour of its buttons, or their text colour in the
 * style `outline`. Returns undefined if the colour is not set or cannot be displayed.
 */
export function mainOf(theme: object, style: StyleName | undefined): string | undefined {
  const rgb = rgbOf(mainTextOf(theme, style));
  return rgb && `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the stored main colour if it cannot be displayed, for example a variable or a CSS keyword. */
export function unreadMainOf(theme: object, style: StyleName | undefined): string | undefined {
  const text = mainTextOf(theme, style);
  return typeof text === "string" && text.trim() !== "" && !rgbOf(text) ? text.trim() : undefined;
}

function mainTextOf(theme: object, style: StyleName | undefined): unknown {
  return valueAt(theme, ["chat", "buttons", style === "outline" ? "color" : "backgroundColor"]);
}

function shapeOf(look: object): Shape {
  const roundness = valueAt(look, ["chat", "buttons", "border", "customRoundeness"]);
  return typeof roundness === "number" ? { roundness } : {};
}

function isOfStyle(look: object, style: StyleName, mode: "light" | "dark"): boolean {
  const { dark, ...light } = themeOfStyle(style, mainOf(look, style) ?? usualMain, shapeOf(look));
  const made = mode === "dark" ? lookOf(dark) : light;
  const parts = ["hostBubbles", "guestBubbles", "buttons", "inputs"] as const;
  return (
    isSame(valueAt(look, ["general", "background"]), made.general.background) &&
    parts.every((part) => isSame(valueAt(look, ["chat", part]), made.chat[part]))
  );
}

function withLook(part: JsonObject, { general, chat }: Look): JsonObject {
  return {
    ...part,
    general: { ...objectAt(part, "general"), ...general },
    chat: { ...objectAt(part, "chat"), ...chat },
  };
}

type Colored = "buttons" | "guestBubbles";

function withColors(part: JsonObject, { chat: made }: Look, isSet: (name: Colored) => boolean): JsonObject {
  const names = (["buttons", "guestBubbles"] as const).filter(isSet);
  if (names.length === 0) return part;
  const chat = objectAt(part, "chat");
  const colored = names.map((name) => {
    const { backgroundColor, color } = made[name] ?? {};
    return [name, { ...objectAt(chat, name), backgroundColor, color }] as const;
  });
  return { ...part, chat: { ...chat, ...Object.fromEntries(colored) } };
}

function lookOf(dark: StyledTheme["dark"]): Look {
  return { general: dark?.general ?? {}, chat: dark?.chat ?? {} };
}

function objectAt(theme: object, key: string): JsonObject {
  const part: unknown = Reflect.get(theme, key);
  return typeof part === "object" && part !== null ? { ...part } : {};
}

/**
 * The tolerance for each part of an RGB colour. Pale backgrounds are derived from the selected colour. The colour of
 * the buttons may differ from it, because it must be readable.
 */
const nearby = 12;

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other || isNearby(one, other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
}

function isNearby(one: unknown, other: unknown): boolean {
  const [here, there] = [rgbOf(one), rgbOf(other)];
  if (!here || !there) return false;
  return here.every((part, at) => Math.abs(part - (there[at] ?? 0)) <= nearby);
}
