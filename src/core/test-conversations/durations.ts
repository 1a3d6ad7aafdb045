const second = 1_000;
const units = { s: second, m: 60 * second, h: 3_600 * second, d: 86_400 * second } as const;

/** The format of a duration, such as `90s` or `10m`. */
export const durationPattern = "^[1-9]\\d{0,6}[smhd]$";

/** Converts a duration to milliseconds. Returns 0 for a text in another format. */
export function durationOf(text: string): number {
  const [, count = "0", unit = "s"] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return Number(count) * (isUnit(unit) ? units[unit] : second);
}

/** Formats a duration for test conversations, rounded up to whole seconds and at least one second. */
export function durationText(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / second))}s`;
}

function isUnit(text: string): text is keyof typeof units {
  return Object.hasOwn(units, text);
}
