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
  return { value: `${new Date(instant).toISOString().slice(0, "yyyy-MM-ddTHH:mm:ss".length)}Z`, logs };
}

/** The wall-clock time and the offset of a zone; undefined for an unknown one. */
function inZone(instant: number, timeZone: string): string | undefined {
  try {
    // Swedish dates and times are written as ISO 8601 writes them, and English offsets are, too.
    const wallClock = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
    const named = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(instant);
    const offset = named.find(({ type }) => type === "timeZoneName")?.value.replace(/^GMT(?:[+-]00:00)?/, "");
    return wallClock.format(instant).replace(" ", "T") + (offset || "Z");
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
