/** @jsxImportSource preact */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { dayIn, daysLater, monthsLater, placeInWeek, today, weeksOf } from "../../../conversation/dates/days.ts";
import type { Words } from "../../../conversation/words.ts";

type Props = {
  readonly id: string;
  /** The chosen day, and the other end of a range. */
  readonly chosen: string | undefined;
  readonly otherEnd?: string | undefined;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly locale: string;
  readonly words: Words;
  /** The label of the field to which the calendar belongs. */
  readonly label: string;
  onChoose(day: string): void;
  onClose(): void;
};

/**
 * A month from which a day is chosen, following ARIA's pattern for date grids. The arrow keys move by days and weeks,
 * Home and End within the week, and Page Up and Page Down by months, or by years with Shift. Escape closes the
 * calendar. Days beyond the limits can be read but not chosen.
 */
export function Calendar({ id, chosen, otherEnd, min, max, locale, words, label, onChoose, onClose }: Props) {
  const [day, setDay] = useState(() => within(chosen ?? otherEnd ?? today(), min, max));
  const box = useRef<HTMLDivElement>(null);
  const isMoved = useRef(true);
  useLayoutEffect(() => {
    if (isMoved.current) box.current?.querySelector<HTMLElement>("[data-day][tabindex='0']")?.focus();
    isMoved.current = false;
  }, [day]);
  useLayoutEffect(() => box.current?.scrollIntoView({ block: "nearest" }), []);
  const show = (next: string) => setDay(within(next, min, max));
  const weeks = weeksOf(day, locale);
  const month = dayIn(locale, day, { month: "long", year: "numeric" });
  const weekdays = Array.from({ length: 7 }, (_, place) => daysLater(day, place - placeInWeek(day, locale)));
  // In some languages, short names of weekdays are whole words, which are too wide for a column on a phone.
  const isShort = weekdays.every((one) => dayIn(locale, one, { weekday: "short" }).length <= 4);
  const moveBy = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
    if (!(event.target instanceof HTMLElement) || event.target.dataset["day"] === undefined) return;
    const next = dayByKey(event, { day, locale, isRightToLeft: getComputedStyle(event.target).direction === "rtl" });
    if (next === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    setDay(next);
  };
  return (
    <div ref={box} id={id} class="calendar" role="dialog" aria-label={`${words.calendar}: ${label}`} onKeyDown={moveBy}>
      <div class="calendar-head">
        <MonthStep day={monthsLater(day, -1)} name={words.previous} {...{ locale, min, max, show }} />
        <MonthLists {...{ day, min, max, locale, show }} />
        <MonthStep day={monthsLater(day, 1)} name={words.next} {...{ locale, min, max, show }} />
        <span class="visually-hidden" role="status">
          {month}
        </span>
      </div>
      <table class="calendar-days" aria-label={month} {...asGrid}>
        <thead>
          <tr>
            {weekdays.map((one) => (
              <th key={placeInWeek(one, locale)} scope="col" abbr={dayIn(locale, one, { weekday: "long" })}>
                {dayIn(locale, one, { weekday: isShort ? "short" : "narrow" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((one) => one !== undefined)}>
              {week.map((one, place) => (
                <td
                  key={place}
                  class={one && isBetween(one, chosen, otherEnd) ? "is-between" : undefined}
                  {...(one && selected(one === chosen || one === otherEnd))}
                >
                  {one && (
                    <button
                      type="button"
                      data-day={one}
                      tabIndex={one === day ? 0 : -1}
                      aria-label={dayIn(locale, one, { dateStyle: "full" })}
                      aria-current={one === today() ? "date" : undefined}
                      aria-disabled={one !== within(one, min, max)}
                      onClick={() => one === within(one, min, max) && onChoose(one)}
                    >
                      {new Intl.NumberFormat(locale).format(Number(one.slice(8)))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The ARIA roles of a table in which the arrow keys move. The linter does not expect selectable cells in a table. */
const asGrid = { role: "grid" } as const;
const selected = (isSelected: boolean) => ({ "aria-selected": isSelected });

type Shown = {
  readonly day: string;
  readonly locale: string;
  readonly min: string | undefined;
  readonly max: string | undefined;
  show(day: string): void;
};

/**
 * The button for the previous or next month. If that month is beyond the limits, the button is marked as disabled but
 * keeps the focus.
 */
function MonthStep({ day, name, locale, min, max, show }: Shown & { readonly name: string }) {
  const isOut = day.slice(0, 7) !== within(day, min, max).slice(0, 7);
  const label = `${name}: ${dayIn(locale, day, { month: "long", year: "numeric" })}`;
  return (
    <button
      type="button"
      class="calendar-step"
      aria-label={label}
      aria-disabled={isOut}
      onClick={() => isOut || show(day)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="m14.5 6-6 6 6 6" />
      </svg>
    </button>
  );
}

/** Lists to choose the month and the year, because a birthday may be hundreds of months away. */
function MonthLists({ day, min, max, locale, show }: Shown) {
  const year = Number(day.slice(0, 4));
  const thisYear = Number(today().slice(0, 4));
  const first = Math.min(year, min ? Number(min.slice(0, 4)) : thisYear - 110);
  const last = Math.max(year, max ? Number(max.slice(0, 4)) : thisYear + 20);
  const names = new Intl.DisplayNames(locale, { type: "dateTimeField" });
  return (
    <div class="calendar-lists">
      <select
        aria-label={names.of("month")}
        value={String(Number(day.slice(5, 7)))}
        onChange={({ currentTarget }) => show(monthsLater(day, Number(currentTarget.value) - Number(day.slice(5, 7))))}
      >
        {Array.from({ length: 12 }, (_, index) => (
          <option key={index} value={index + 1}>
            {dayIn(locale, `2026-${String(index + 1).padStart(2, "0")}-01`, { month: "long" })}
          </option>
        ))}
      </select>
      <select
        aria-label={names.of("year")}
        value={String(year)}
        onChange={({ currentTarget }) => show(monthsLater(day, (Number(currentTarget.value) - year) * 12))}
      >
        {Array.from({ length: last - first + 1 }, (_, index) => (
          <option key={index} value={first + index}>
            {dayIn(locale, `${String(first + index).padStart(4, "0")}-06-01`, { year: "numeric" })}
          </option>
        ))}
      </select>
    </div>
  );
}

type From = { readonly day: string; readonly locale: string; readonly isRightToLeft: boolean };

/** Returns the day to which a key moves; undefined for other keys, and for years without four digits. */
function dayByKey({ key, shiftKey }: KeyboardEvent, { day, locale, isRightToLeft }: From): string | undefined {
  const forward = isRightToLeft ? -1 : 1;
  const place = placeInWeek(day, locale);
  const days = new Map([
    ["ArrowLeft", -forward],
    ["ArrowRight", forward],
    ["ArrowUp", -7],
    ["ArrowDown", 7],
    ["Home", -place],
    ["End", 6 - place],
  ]).get(key);
  const months = new Map([
    ["PageUp", -1],
    ["PageDown", 1],
  ]).get(key);
  const next = days === undefined ? months && monthsLater(day, shiftKey ? months * 12 : months) : daysLater(day, days);
  return next && /^[1-9]\d{3}-/.test(next) ? next : undefined;
}

/** Returns the day, or the nearest limit if the day is beyond a limit. */
function within(day: string, min: string | undefined, max: string | undefined): string {
  if (min !== undefined && day < min) return min;
  return max !== undefined && day > max ? max : day;
}

function isBetween(day: string, one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one < other ? day > one && day < other : day > other && day < one;
}
