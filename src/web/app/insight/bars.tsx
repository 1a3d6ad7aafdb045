import "./charts.css";

/** A share as a bar. Hidden from screen readers, because its number is shown next to it. */
export function Bar({
  share,
  rest = 0,
  tone = "asks",
}: {
  readonly share: number;
  readonly rest?: number;
  readonly tone?: Tone;
}) {
  return (
    <svg class={`insight-bar is-${tone}`} aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
      <rect class="insight-bar-ground" width="100" height="1" />
      <rect width={round(share * 100)} height="1" />
      {rest > 0 && <rect class="insight-bar-rest" x={round(share * 100)} width={round(rest * 100)} height="1" />}
    </svg>
  );
}

export type Tone = "says" | "asks" | "decides" | "connects" | "thinks";

/** A series of numbers as a small line chart, with a label. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  return (
    <svg class="insight-spark" role="img" aria-label={label} preserveAspectRatio="none" viewBox="0 0 100 20">
      <path d={linePath(values, Math.max(1, ...values), 20)} />
    </svg>
  );
}

/** Returns the SVG path through the values, over a width of 100. */
export function linePath(values: readonly number[], most: number, height: number): string {
  if (values.length === 1) return `M0 ${yOf(values[0] ?? 0, most, height)}H100`;
  return values
    .map((value, index) => `${index === 0 ? "M" : "L"}${xOf(index, values.length)} ${yOf(value, most, height)}`)
    .join("");
}

/** Returns the x coordinate of a point, over a width of 100. */
export function xOf(index: number, count: number): number {
  return count === 1 ? 50 : round((index / (count - 1)) * 100);
}

function yOf(value: number, most: number, height: number): number {
  return round(height - (value / most) * height);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
