/** @jsxImportSource preact */
import { useLayoutEffect, useRef } from "preact/hooks";
import { timeAsTyped, timeLater, typedTime } from "../../../conversation/dates/typed-times.ts";

type Props = {
  /** A time such as `14:30`; empty without a time. */
  readonly time: string;
  /**
   * The visitor's format for typing times. Undefined until a script runs; in the meantime, the field is a time field of
   * the browser.
   */
  readonly locale: string | undefined;
  readonly name: string;
  readonly placeholder: string;
  readonly aria: Record<string, string | undefined>;
};

/**
 * A time that is typed. The arrow keys change the part at the cursor: the hour, or the minutes in steps of five. When
 * the script starts, it changes the browser's own field instead of replacing it, so that the field keeps its focus and
 * content.
 */
export function TimeText({ time, locale, name, placeholder, aria }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current && locale !== undefined) rewrite(field.current, locale);
  }, [locale]);
  const step = (event: KeyboardEvent) => {
    const sign = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (sign === 0 || locale === undefined || !field.current || event.altKey) return;
    event.preventDefault();
    stepTime(field.current, locale, sign);
  };
  return (
    <input
      ref={field}
      class="text-input typebot-datetime-input"
      {...(locale === undefined ? { type: "time" } : { type: "text" })}
      name={name}
      placeholder={placeholder}
      defaultValue={time}
      autocomplete="off"
      required
      {...aria}
      onKeyDown={step}
      onChange={({ currentTarget }) => locale !== undefined && rewrite(currentTarget, locale)}
    />
  );
}

/** Shows a time in the format of the language, if the text is a time. */
export function rewrite(field: HTMLInputElement, locale: string): void {
  const time = typedTime(field.value, locale);
  if (time !== undefined) field.value = timeAsTyped(time, locale);
}

function stepTime(field: HTMLInputElement, locale: string, sign: number): void {
  const time = typedTime(field.value, locale);
  const typedMinute = [...field.value.matchAll(/\p{Nd}+/gu)][1];
  const isHour = !typedMinute || (field.selectionStart ?? 0) < typedMinute.index;
  const minutes = Number(time?.slice(3) ?? 0);
  const byFive = sign > 0 ? 5 - (minutes % 5) : -(minutes % 5 || 5);
  const later = time === undefined ? "12:00" : timeLater(time, isHour ? sign * 60 : byFive);
  field.value = timeAsTyped(later, locale);
  const [hour = "", minute = ""] = [...field.value.matchAll(/\p{Nd}+/gu)].map(
    ({ 0: part, index }) => `${index + part.length}`,
  );
  const place = Number(isHour ? hour : minute);
  field.setSelectionRange(place, place);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
