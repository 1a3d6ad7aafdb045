import { plainDigits } from "../digits.ts";

/**
 * Parses a time of day as it is typed in a language, and returns it in the form `09:30`. Accepts `9`, `9:30`, `930`,
 * `9h30` and `9 pm`, also with the language's own digits and its words for morning and afternoon. Returns undefined for
 * any other text.
 */
export function typedTime(text: string, locale: string): string | undefined {
  const plain = asciiDigits(text, locale).toLowerCase().trim();
  const half = halvesOf(locale).find(({ name }) => plain.startsWith(name) || plain.endsWith(name));
  const rest = half ? plain.replace(half.name, "").trim() : plain;
  const [, hourText, minuteText = "0"] =
    /^(\d{1,2})\s*[:.h時时点시]\s*(\d{2})(?:[:.]\d{2})?\D{0,5}$/.exec(rest) ??
    /^(\d{1,2})(\d{2})$/.exec(rest) ??
    /^(\d{1,2})(?:\s*\p{L}{0,4}\.?)$/u.exec(rest) ??
    [];
  const said = Number(hourText ?? "NaN");
  const hour = half && said <= 12 && said > 0 ? (said % 12) + (half.isLate ? 12 : 0) : said;
  if (!(hour < 24) || Number(minuteText) > 59 || (half && hour < 12 === half.isLate)) return undefined;
  return `${String(hour).padStart(2, "0")}:${minuteText.padStart(2, "0")}`;
}

/** Formats a time such as `09:30` as it is typed in a language. */
export function timeAsTyped(time: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" }).format(
    new Date(`1970-01-01T${time}Z`),
  );
}

/** Adds minutes to a time such as `09:30`, wrapping around at midnight. The minutes may be negative. */
export function timeLater(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const sum = (((hour * 60 + minute + minutes) % dayMinutes) + dayMinutes) % dayMinutes;
  return `${String(Math.floor(sum / 60)).padStart(2, "0")}:${String(sum % 60).padStart(2, "0")}`;
}

const dayMinutes = 24 * 60;

/** Replaces the digits of the language's own script with ASCII digits, after the replacements of `plainDigits`. */
export function asciiDigits(text: string, locale: string): string {
  const own = new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210);
  const digits = [...own].reverse();
  return plainDigits(text).replaceAll(/\p{Nd}/gu, (digit) => {
    const value = digits.indexOf(digit);
    return value < 0 ? digit : String(value);
  });
}

/** Returns the names of morning and afternoon in a language and in English, longest first. */
function halvesOf(locale: string): { readonly name: string; readonly isLate: boolean }[] {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", hourCycle: "h12", timeZone: "UTC" });
  // Some languages have more than two names, such as night, morning and noon.
  const own = Array.from({ length: 24 }, (_, hour) => {
    const parts = format.formatToParts(Date.UTC(1970, 0, 1, hour));
    return { name: parts.find(({ type }) => type === "dayPeriod")?.value.toLowerCase() ?? "", isLate: hour >= 12 };
  });
  const common = ["a.m.", "am", "p.m.", "pm"].map((name) => ({ name, isLate: name.startsWith("p") }));
  return [...own, ...common].filter(({ name }) => name !== "").sort((a, b) => b.name.length - a.name.length);
}
