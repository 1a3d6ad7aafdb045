/** @jsxImportSource preact */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { dateAsTyped, typedDay, typedMoment } from "../../../conversation/dates/typed-dates.ts";
import { timeAsTyped } from "../../../conversation/dates/typed-times.ts";
import type { Input } from "../../../conversation/step.ts";
import type { Words } from "../../../conversation/words.ts";
import { hasTime, limitOf, limitText, plainDate } from "./date-values.ts";
import { TimeText } from "./time-text.tsx";

export type DateFieldProps = {
  readonly input: Input;
  readonly words: Words;
  /**
   * The visitor's format for typing dates. Undefined until a script runs; in the meantime, the field is a date field of
   * the browser.
   */
  readonly locale: string | undefined;
  readonly name: string;
  /** The initial value of the field: a date in the format of date pickers, or a text. */
  readonly value: string;
  readonly label: string;
  readonly aria: Record<string, string | undefined>;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly calendarId: string;
  readonly isOpen: boolean;
  onToggle(): void;
};

/**
 * A date that is typed or chosen from a calendar, with its time in a separate field. When the script starts, it changes
 * the browser's own field instead of replacing it, so that the field keeps its focus and content.
 */
export function DateField({
  input,
  words,
  locale,
  name,
  value,
  label,
  aria,
  field,
  calendarId,
  isOpen,
  onToggle,
}: DateFieldProps) {
  const isPicked = plainDate.test(value);
  useLayoutEffect(() => {
    if (!field.current || locale === undefined) return;
    const isUntouched = field.current.value === field.current.defaultValue;
    if (field.current.value === "" && !isPicked) field.current.value = value;
    showDay(field.current, locale);
    // Text that was typed before the script started is kept, and a stored draft does not replace it.
    if (isUntouched) field.current.defaultValue = field.current.value;
  }, [locale]);
  const isLive = locale !== undefined;
  return (
    <>
      <input
        ref={field}
        class="text-input typebot-datetime-input"
        {...(isLive ? { type: "text" } : { type: hasTime(input) ? "datetime-local" : "date" })}
        name={name}
        defaultValue={isPicked ? value : ""}
        min={isLive ? undefined : limitOf(input, "min")}
        // Limits the year to four digits, so that the browser moves on to the next part after four digits.
        max={isLive ? undefined : (limitOf(input, "max") ?? limitText("9999-12-31", "max", hasTime(input)))}
        placeholder={words.date}
        autocomplete="off"
        required
        {...aria}
        onChange={({ currentTarget }) => isLive && showDay(currentTarget, locale)}
      />
      {isLive && (
        <button
          type="button"
          class="sign-button tool calendar-button"
          aria-label={`${words.calendar}: ${label}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? calendarId : undefined}
          onClick={onToggle}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M5 6h14v13.5H5ZM5 10.5h14M8.5 3.5V8M15.5 3.5V8" />
          </svg>
        </button>
      )}
      {isLive && hasTime(input) && (
        <TimeText
          time={value.split("T")[1] ?? ""}
          locale={locale}
          name={timeName(name)}
          placeholder={words.time}
          aria={{
            "aria-label": `${label} ${words.time}`,
            "aria-invalid": aria["aria-invalid"],
            "aria-describedby": aria["aria-describedby"],
          }}
        />
      )}
    </>
  );
}

/**
 * Shows a date in the format of the language, if the text is a date. A time in the text is moved to its own field, if
 * there is such a field.
 */
export function showDay(field: HTMLInputElement, locale: string): void {
  const day = typedDay(field.value, locale);
  if (day !== undefined) field.value = dateAsTyped(day, locale);
  const timeField = field.form?.querySelector<HTMLInputElement>(`[name=${timeName(field.name)}]`);
  const moment = timeField && typedMoment(field.value, locale);
  if (!moment) return;
  const [written = "", time = ""] = moment.split("T");
  field.value = dateAsTyped(written, locale);
  timeField.value = timeAsTyped(time, locale);
}

function timeName(name: string): string {
  return `${name}-time`;
}
