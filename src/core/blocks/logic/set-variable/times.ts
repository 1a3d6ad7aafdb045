import type { StepLog } from "../../../interpreter/program/outcome.ts";

const dayMs = 86_400_000;

/** Presets that are a time, and their distance from now. */
const shifts = { Now: 0, Today: 0, Yesterday: -dayMs, Tomorrow: dayMs } as const;

export type TimePreset = keyof typeof shifts;

/**
 * The time of a preset: `2026-11-20T09:38:30.123Z`, or with a zone its wall-clock time and offset,
 * `2026-11-20T15:08:30+05:30`. For an unknown zone it is UTC, with a log.
 */
export function presetTime(preset: TimePreset, now: number, zone: string): { value: string; logs: StepLog[] } {
  const instant = now + shifts[preset];
  if (zone === "" || preset === "Today") return { value: new Date(instant).toISOString(), logs: [] };
  const value = inZone(instant, zone);
  if (value !== undefined) return { value, logs: [] };
  const logs = [{ context: "Set variable", description: "The time zone is not known; UTC is used", details: zone }];
  return { value: printed(instant, 0), logs };
}

function inZone(instant: number, zone: string): string | undefined {
  const offset = offsetOf(instant, zone);
  return offset === undefined ? undefined : printed(instant, offset);
}

function printed(instant: number, offsetMinutes: number): string {
  const wallClock = new Date(instant + offsetMinutes * 60_000).toISOString().slice(0, "yyyy-MM-ddTHH:mm:ss".length);
  if (offsetMinutes === 0) return `${wallClock}Z`;
  const minutes = Math.abs(offsetMinutes);
  const digits = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  return `${wallClock}${offsetMinutes < 0 ? "-" : "+"}${digits.join(":")}`;
}

/** Minutes east of UTC; undefined for an unknown zone. */
function offsetOf(instant: number, zone: string): number | undefined {
  const format = zoneFormat(zone);
  if (!format) return undefined;
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wallClock = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return Math.round((wallClock - instant) / 60_000);
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const numeric = "numeric";
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
      timeZone,
      hourCycle: "h23",
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
