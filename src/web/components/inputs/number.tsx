/** @jsxImportSource preact */

import { plainDigits } from "../../conversation/digits.ts";
import { say } from "../../conversation/rare-words.ts";
import { filledTextAt, numberAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { numberIn, type Words } from "../../conversation/words.ts";
import { textOf } from "./parts/field.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { LineField } from "./parts/line-field.tsx";

/** A number, which is typed in the format of the author's locale or of the page's language, next to its unit. */
export const numberInput: InputKind = {
  View(props) {
    const unit = unitOf(props.input, props.words);
    return <LineField {...props} defaultPlaceholder={props.words.typeNumber} attributes={attributes} unit={unit} />;
  },
  read(form, input, words) {
    const text = plainDigits(textOf(form, "text").trim());
    if (text === "") return { kind: "wrong", error: words.required };
    const number = parse(text, localeOf(input, words));
    if (number === undefined) return { kind: "wrong", error: words.invalidNumber };
    const min = numberAt(input, "options", "min") ?? -most;
    const max = numberAt(input, "options", "max") ?? most;
    const refused = (key: "numberTooSmall" | "numberTooLarge", limit: number) => ({
      kind: "wrong" as const,
      error: say(words, key, { limit: Math.abs(limit) < most ? numberIn(words, limit) : limit }),
    });
    if (number < min) return refused("numberTooSmall", min);
    if (number > max) return refused("numberTooLarge", max);
    return { kind: "said", message: { type: "text", text: String(number) } };
  },
  shownReply(reply, input, words) {
    const number = Number(reply);
    // A reply in another notation, such as 007, and a number that would lose digits are shown unchanged.
    if (reply !== String(number) || !Number.isFinite(number) || /e/.test(reply)) return undefined;
    const digits = reply.split(".")[1]?.length ?? 0;
    const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const format = formatOf(input, words, exactly);
    if (!format) return new Intl.NumberFormat(localeOf(input, words), exactly).format(number);
    return format.format(format.resolvedOptions().style === "percent" ? number / 100 : number);
  },
};

/** The largest accepted number, which is close to the largest number that JavaScript can represent. */
const most = 1e308;

const attributes = { type: "text", inputMode: "decimal", autocomplete: "off" } as const;

/** Returns the locale that the author chose, or the page's language. */
function localeOf(input: Input, { language }: Words): string {
  const locale = filledTextAt(input, "options", "locale");
  return locale !== undefined && isLocale(locale) ? locale : language;
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/**
 * Parses a number. Blanks and grouping signs are removed, and a remaining point or comma starts the fraction. Returns
 * undefined for other text.
 */
function parse(text: string, locale: string): number | undefined {
  const parts = new Intl.NumberFormat(locale).formatToParts(12345678.9);
  const group = parts.find(({ type }) => type === "group")?.value ?? ",";
  const plain = text.replaceAll(/[\s'’\u00a0\u202f]/g, "");
  const isGrouped = new RegExp(`^[+-]?\\d{1,3}(\\${group}\\d{3})+([.,]\\d+)?$`).test(plain) && /[.,]/.test(group);
  // If there are two different signs, the first sign is the grouping sign: 1.234,5 and 1,234.5 are the same number.
  const both = /[.,].*[.,]/.test(plain) ? plain.charAt(plain.search(/[.,]/)) : undefined;
  const grouping = both ?? (isGrouped ? group : "");
  const digits = (grouping === "" ? plain : plain.replaceAll(grouping, "")).replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits) ? Number(digits) : undefined;
}

/** Returns the currency, unit or percent sign before and after the digits, in the order of the locale. */
function unitOf(input: Input, words: Words): { before: string; after: string } {
  const format = formatOf(input, words);
  if (!format) return { before: "", after: "" };
  const parts = format.formatToParts(1);
  const first = parts.findIndex(({ type }) => type === "integer");
  const text = (of: typeof parts) =>
    of
      .filter(({ type }) => ["currency", "unit", "percentSign"].includes(type))
      .map(({ value }) => value)
      .join(" ");
  return { before: text(parts.slice(0, first)), after: text(parts.slice(first)) };
}

/** Returns the format of a number with its currency, unit or percent sign, or undefined if the input has none. */
function formatOf(input: Input, words: Words, digits: Intl.NumberFormatOptions = {}): Intl.NumberFormat | undefined {
  const style = textAt(input, "options", "style");
  const currency = filledTextAt(input, "options", "currency");
  const unit = filledTextAt(input, "options", "unit");
  const locale = localeOf(input, words);
  try {
    if (style === "currency" && currency) return new Intl.NumberFormat(locale, { style, currency, ...digits });
    if (style === "unit" && unit) return new Intl.NumberFormat(locale, { style, unit, ...digits });
    return style === "percent" ? new Intl.NumberFormat(locale, { style, ...digits }) : undefined;
  } catch {
    // An unknown currency or unit is not shown.
    return undefined;
  }
}
