import type { JsonObject } from "../../../../core/interpreter/flow.ts";
import type { Brand } from "../../../../core/interpreter/schemas/brand.ts";
import { type StyleName, styleNames } from "../../../../core/theme/styles.ts";
import { valueAt } from "../../forms/index.ts";
import { mainOf, styleOf, usualMain, withStyle } from "./look.ts";

/** The brand from which a theme was made: whether the theme follows the brand, and the brand at that time. */
export type FollowedBrand = { readonly style: StyleName; readonly of: string };

/** The brand that a theme follows; undefined if there is none. */
export function followedBrand(theme: object): FollowedBrand | undefined {
  if (valueAt(theme, ["brand", "follows"]) !== true) return undefined;
  const of = valueAt(theme, ["brand", "of"]);
  const style = styleNames.find((one) => one === valueAt(theme, ["brand", "style"]));
  return { style: style ?? "clear", of: typeof of === "string" ? of : "" };
}

/** The main colour of a brand. */
export function mainColorOf({ colors = [], main }: Brand): string | undefined {
  return (colors.find(({ name }) => name === main) ?? colors[0])?.value;
}

/**
 * A theme in a style of the brand: whole values, which look the same in other services, and the note that it follows
 * the brand. Fields that style and brand leave open stay.
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

/** The theme unchanged, but no longer following a brand. */
export function withoutBrand({ brand: _, ...theme }: JsonObject): JsonObject {
  return theme;
}

/** The theme unchanged, but ignoring the brand's changes until the next one. */
export function withBrandSeen(theme: JsonObject, brand: Brand): JsonObject {
  return { ...theme, brand: { ...objectAt(theme, "brand"), of: digestOf(brand) } };
}

/** Whether a theme follows a brand that has changed since. */
export function isBehind(theme: object, brand: Brand | null): boolean {
  const followed = followedBrand(theme);
  return followed !== undefined && brand !== null && followed.of !== digestOf(brand);
}

/** A picture for the page of a style: the avatar, or the logo for the page's background. */
function pictureOf({ avatar, logo = {} }: Brand, style: StyleName): string | undefined {
  const [first, second] = style === "ink" ? [logo.dark, logo.light] : [logo.light, logo.dark];
  return avatar ?? first ?? second;
}

/** Differs if a theme made from the brand would differ; the tone and the colours beside the main one do not count. */
function digestOf(brand: Brand): string {
  const { name, avatar, logo, font, roundness } = brand;
  const parts = [name, avatar, logo?.light, logo?.dark, mainColorOf(brand), roundness];
  const text = JSON.stringify([...parts, font?.type, font?.family, font?.css, font?.url]);
  // FNV-1a, twice: short, and not a secret.
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
