import { limits } from "../../../../limits/index.ts";
import type { Value } from "../../../interpreter/language/values.ts";
import type { Produced, StepLog } from "../../../interpreter/program/outcome.ts";
import type { View } from "../../../interpreter/program/view.ts";
import type { ServerPreset, SetVariableOptions } from "./options.ts";

/** Scripts with which the visitor's client computes presets. */
export const clientPresets = {
  "Moment of the day": `const hour = new Date().getHours();
return hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";`,

  // Tablets are checked first. An Android tablet differs from a phone only in the missing "mobile", and an iPad may
  // identify itself as a Mac.
  "Device type": `const agent = navigator.userAgent;
const isTouch = "ontouchstart" in window || navigator.maxTouchPoints > 0;
const width = screen.width;
if (/tablet|ipad|playbook|silk|android(?!.*mobile)/i.test(agent) || (isTouch && width >= 768 && width <= 1024)) return "tablet";
return /mobile/i.test(agent) || (isTouch && width < 768) ? "mobile" : "desktop";`,
} as const;

/**
 * Returns the preset's value on a messenger: null for the device, or the moment of the day in the time zone of the
 * connection.
 */
export function withoutBrowser(
  type: keyof typeof clientPresets,
  { now, contact }: Pick<View, "now" | "contact">,
): string | null {
  if (type === "Device type") return null;
  const wallClock = inZone(now, contact?.timeZone ?? "UTC");
  const hour = wallClock === undefined ? new Date(now).getUTCHours() : Number(wallClock.slice(11, 13));
  return hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
}

const idCharacters = 24;

export function applyPreset(type: ServerPreset, variableId: string, options: SetVariableOptions, view: View): Produced {
  const set = (value: unknown, logs: StepLog[] = []): Produced => ({ writes: [{ variableId, value }], logs });
  switch (type) {
    case "Empty":
      return set(null);
    case "Environment name":
      return set(view.contact?.channel ?? "web");
    case "User ID":
    case "Result ID":
      return set(view.resultId ?? view.random.text(idCharacters));
    case "Random ID":
      return set(view.random.text(idCharacters));
    case "Now":
    case "Today":
    case "Yesterday":
    case "Tomorrow": {
      const { value, logs } = presetTime(type, view.now, view.text(options.timeZone));
      return set(value, logs);
    }
    case "Append value(s)":
      return append(variableId, view.text(options.item), view);
    case "Pop":
      return takeFrom("last", variableId, options, view);
    case "Shift":
      return takeFrom("first", variableId, options, view);
    case "Map item with same index":
      return set(itemAtSamePlace(options.mapListItemParams ?? {}, view));
    // The contact's phone number, name and other data are available only in messengers.
    case "Phone number":
      return set(view.contact?.phone ?? null);
    case "Contact name":
      return set(view.contact?.name ?? null);
    case "Referral Click ID":
    case "Referral Source ID":
      return set(null);
    default:
      return type satisfies never;
  }
}

function append(variableId: string, element: string, view: View): Produced {
  const current = view.variables.get(variableId);
  if (!Array.isArray(current) || current.length < limits.step.listElements) {
    return { writes: [{ variableId, value: appendTo(current, element) }] };
  }
  const description = `Nothing was appended, because a list can have at most ${limits.step.listElements} elements`;
  return { logs: [{ context: "Set variable", description, details: variableId }] };
}

function takeFrom(
  end: "first" | "last",
  variableId: string,
  { saveItemInVariableId }: SetVariableOptions,
  view: View,
): Produced {
  const taken = removeEnd(view.variables.get(variableId), end);
  if (!taken) return { writes: [{ variableId, value: null }] };
  const saved = saveItemInVariableId ? [{ variableId: saveItemInVariableId, value: taken.element }] : [];
  return { writes: [{ variableId, value: taken.rest }, ...saved] };
}

/** Appends an element to a list. A text is first converted to a list with one element, and null to an empty list. */
function appendTo(current: Value, element: string): unknown[] {
  if (current === null) return [element];
  return Array.isArray(current) ? [...current, element] : [current, element];
}

/**
 * Removes the first or last element of a list and returns both the list and the removed element. A text is treated as a
 * list with one element. Returns undefined for null.
 */
function removeEnd(
  current: Value,
  end: "last" | "first",
): { rest: (string | null)[]; element: string | null } | undefined {
  if (current === null) return undefined;
  const list = Array.isArray(current) ? current : [current];
  const element = (end === "last" ? list.at(-1) : list.at(0)) ?? null;
  return { rest: end === "last" ? list.slice(0, -1) : list.slice(1), element };
}

/**
 * Finds the item in the base list and returns the element of the target list at the same index, or null if there is
 * none.
 */
function itemAtSamePlace(params: NonNullable<SetVariableOptions["mapListItemParams"]>, view: View): string | null {
  const heldBy = (id: string | undefined): Value => (id === undefined ? null : view.variables.get(id));
  const item = heldBy(params.baseItemVariableId);
  const list = heldBy(params.baseListVariableId);
  const target = heldBy(params.targetListVariableId);
  if (typeof item !== "string" || item === "" || !Array.isArray(list) || !Array.isArray(target)) return null;
  const index = list.indexOf(item);
  return index < 0 ? null : (target[index] ?? null);
}

const dayMs = 86_400_000;

/** Presets for a time, with their offsets from the current time in milliseconds. */
const shifts = { Now: 0, Today: 0, Yesterday: -dayMs, Tomorrow: dayMs } as const;

type TimePreset = keyof typeof shifts;

/**
 * Returns the time of a preset, either in UTC (`2026-11-20T09:38:30.123Z`) or as the wall-clock time and offset of a
 * zone (`2026-11-20T15:08:30+05:30`). `Today` is always in UTC. For an unknown zone, the time is in UTC and a log entry
 * is added.
 */
function presetTime(preset: TimePreset, now: number, zone: string): { value: string; logs: StepLog[] } {
  const instant = now + shifts[preset];
  if (zone === "" || preset === "Today") return { value: new Date(instant).toISOString(), logs: [] };
  const value = inZone(instant, zone);
  if (value !== undefined) return { value, logs: [] };
  const logs = [{ context: "Set variable", description: "The time zone is unknown, so UTC is used", details: zone }];
  return { value: `${new Date(instant).toISOString().slice(0, "yyyy-MM-ddTHH:mm:ss".length)}Z`, logs };
}

/** Returns the wall-clock time and offset in a zone, or undefined for an unknown zone. */
function inZone(instant: number, timeZone: string): string | undefined {
  try {
    // The Swedish locale formats dates and times as in ISO 8601. The English locale formats offsets as in ISO 8601.
    const wallClock = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
    const named = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(instant);
    const offset = named.find(({ type }) => type === "timeZoneName")?.value.replace(/^GMT(?:[+-]00:00)?/, "");
    return wallClock.format(instant).replace(" ", "T") + (offset || "Z");
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
