import { durationText, language } from "../words/language.ts";

/** Formats a share, such as 0.43, as a percentage in the current language. */
export function percentText(share: number): string {
  return share.toLocaleString(language.value, {
    style: "percent",
    maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0,
  });
}

/** A relative change is only shown if the previous value is at least this, because smaller numbers are misleading. */
const leastCompared = 10;

/**
 * Formats the relative change of a number as a percentage with its sign. Undefined if the previous number was too
 * small.
 */
export function changeText(now: number, before: number): string | undefined {
  if (before < leastCompared) return undefined;
  const format = { style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" } as const;
  return (now / before - 1).toLocaleString(language.value, format);
}

/** Formats a duration, including durations below a second. */
export function lengthText(seconds: number): string {
  if (seconds >= 1) return durationText(seconds);
  const format = { style: "unit", unit: "second", unitDisplay: "long", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language.value, format).format(seconds);
}

const unitSizes = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a duration in its shortest form, for example "2d 11h". */
export function shortLengthText(seconds: number): string {
  const first = Math.max(
    0,
    unitSizes.findIndex(([, size]) => seconds >= size),
  );
  const shown = seconds < 1 ? unitSizes.slice(-1) : unitSizes.slice(first, first + 2);
  let left = seconds < 1 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  const parts = shown.map(([unit, size]) => {
    const count = seconds < 1 ? left : Math.floor(left / size);
    left -= count * size;
    return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "narrow" }).format(count);
  });
  return parts.join(" ");
}

export type Step = "hour" | "day" | "week" | "month";

const formats: Readonly<Record<Step, Intl.DateTimeFormatOptions>> = {
  hour: { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
};

/** Formats the start of a point of a series in a time zone, with the offset from UTC if required. */
function pointText(from: string | Date, step: Step, timeZone: string, { withOffset = false } = {}): string {
  const offset = withOffset ? ({ timeZoneName: "shortOffset" } as const) : {};
  return new Date(from).toLocaleString(language.value, { ...formats[step], ...offset, timeZone });
}

/**
 * Returns the start of each point of a series as text. If the clock is set back and shows an hour twice, both texts
 * contain the offset from UTC.
 */
export function pointTexts(
  points: readonly { readonly from: string }[],
  step: Step,
  timeZone: string,
): readonly string[] {
  const texts = points.map(({ from }) => pointText(from, step, timeZone));
  if (step !== "hour") return texts;
  const counts = Map.groupBy(texts, (text) => text);
  return texts.map((text, index) =>
    (counts.get(text)?.length ?? 0) > 1
      ? pointText(points[index]?.from ?? "", step, timeZone, { withOffset: true })
      : text,
  );
}
