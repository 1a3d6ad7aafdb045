import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import type { Brand } from "../../../../core/interpreter/schemas/brand.ts";
import { type StyleName, styleNames } from "../../../../core/theme/styles.ts";
import { valueAt } from "../../forms/index.ts";
import { mainOf, styleOf, usualMain, withStyle } from "./look.ts";

/** The theme's relation to a brand: the style that was applied, and a digest of the brand at that time. */
export type FollowedBrand = { readonly style: StyleName; readonly of: string };

/** Returns the theme's relation to a brand; undefined if the theme follows no brand. */
export function followedBrand(theme: object): FollowedBrand | undefined {
  if (valueAt(theme, ["brand", "follows"]) !== true) return undefined;
  const of = valueAt(theme, ["brand", "of"]);
  const style = styleNames.find((one) => one === valueAt(theme, ["brand", "style"]));
  return { style: style ?? "clear", of: typeof of === "string" ? of : "" };
}

export function mainColorOf({ colors = [], main }: Brand): string | undefined {
  return (colors.find(({ name }) => name === main) ?? colors[0])?.value;
}

/**
 * Returns the theme in a style, with the brand's values and a reference to the brand. All values are stored in the
 * theme, so that it looks the same in other services. Fields that neither the style nor the brand sets are kept.
 */
export function withBrand(theme: JsonObject, style: StyleName, brand: Brand): JsonObject {
  const main = mainColorOf(brand) ?? mainOf(theme, styleOf(theme)) ?? usualMain;
  const styled = withStyle(theme, style, main, { roundness: brand.roundness });
  const picture = pictureOf(brand, style);
  const [general, chat] = [objectAt(styled, "general"), objectAt(styled, "chat")];
  return {
    ...styled,
    general: {
      ...general,
      ...(brand.font && { font: { ...brand.font } }),
      ...(brand.name !== undefined && {
        header: { ...objectAt(general, "header"), isEnabled: true, name: brand.name },
      }),
    },
    chat: {
      ...chat,
      ...(picture !== undefined && {
        hostAvatar: { ...objectAt(chat, "hostAvatar"), isEnabled: true, url: picture },
      }),
    },
    brand: { style, follows: true, of: digestOf(brand) },
  };
}

/** Returns the theme without its reference to a brand. */
export function withoutBrand({ brand: _, ...theme }: JsonObject): JsonObject {
  return theme;
}

/** Returns the theme with the current digest of the brand, so that the brand's changes so far are ignored. */
export function withBrandSeen(theme: JsonObject, brand: Brand): JsonObject {
  return { ...theme, brand: { ...objectAt(theme, "brand"), of: digestOf(brand) } };
}

/** Whether the theme follows a brand that has changed since it was applied. */
export function isBehind(theme: object, brand: Brand | null): boolean {
  const followed = followedBrand(theme);
  return followed !== undefined && brand !== null && followed.of !== digestOf(brand);
}

/**
 * Returns the picture for a style: the avatar, or otherwise a logo, preferably the one for the background of the style.
 */
function pictureOf({ avatar, logo = {} }: Brand, style: StyleName): string | undefined {
  const [first, second] = style === "ink" ? [logo.dark, logo.light] : [logo.light, logo.dark];
  return avatar ?? first ?? second;
}

/**
 * Returns a digest of the brand's values that affect a theme. The tone and the colours other than the main one are not
 * included.
 */
function digestOf(brand: Brand): string {
  const { name, avatar, logo, font, roundness } = brand;
  const parts = [name, avatar, logo?.light, logo?.dark, mainColorOf(brand), roundness];
  const text = JSON.stringify([...parts, font?.type, font?.family, font?.css, font?.url]);
  // Two FNV-1a hashes. The digest is short and does not have to be secret.
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 0x01000193) >>> 0;
    low = Math.imul(low ^ (code + 0x9e37), 0x01000193) >>> 0;
  }
  return high.toString(36) + low.toString(36);
}

function objectAt(theme: object, key: string): JsonObject {
  const part: unknown = Reflect.get(theme, key);
  return typeof part === "object" && part !== null ? { ...part } : {};
}
