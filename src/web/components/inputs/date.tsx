/** @jsxImportSource preact */
import { useRef, useState } from "preact/hooks";
import { dateAsTyped, typedDay } from "../../conversation/dates/typed-dates.ts";
import { say } from "../../conversation/rare-words.ts";
import { filledTextAt } from "../../conversation/read.ts";
import css from "./date.css" with { type: "text" };
import { Calendar } from "./dates/calendar.tsx";
import { DateField, type DateFieldProps } from "./dates/date-field.tsx";
import {
  dateError,
  dateFormat,
  dateFrom,
  hasTime,
  initialDates,
  isNoDate,
  isRange,
  limitOf,
  plainDate,
} from "./dates/date-values.ts";
import { typingLocale } from "./dates/typing-locale.ts";
import { ariaNames, buttonLabel, describedBy, nameOf, SendButton } from "./parts/field.tsx";
import type { FieldProps, InputKind, Read } from "./parts/input-kind.ts";
import { hasPointer, useLive } from "./parts/live.ts";

/**
 * A date, a date with a time, or a range of two dates. It is typed in the visitor's usual format or chosen from a
 * calendar.
 */
export const dateInput: InputKind = {
  css,
  View: DateInput,
  read(form, input, words) {
    const locale = typingLocale(words.language);
    const dates = (isRange(input) ? ["from", "to"] : ["from"]).map((name) => dateFrom(form, { name, input, locale }));
    const text = dates.join(" to ");
    const error = dates.includes("")
      ? isRange(input)
        ? words.bothDates
        : words.required
      : dates.some((date) => isNoDate(date, input))
        ? say(words, "invalidDate", { example: exampleDate(locale, hasTime(input)) })
        : dateError(dates, input, words);
    return error === undefined ? said(text) : { kind: "wrong", error, draft: text };
  },
  shownReply(reply, input, { language }) {
    const dates = isRange(input) ? reply.split(" to ") : [reply];
    // The service stores a range with the earlier date first.
    const [from, to] = dates.toSorted().map((date) => new Date(date.includes("T") ? `${date}Z` : date));
    if (!from || !dates.every((date) => plainDate.test(date)) || Number.isNaN(Number(from) + Number(to ?? 0)))
      return undefined;
    const format = dateFormat(language, { hasTime: reply.includes("T") });
    return to ? format.formatRange(from, to) : format.format(from);
  },
};

function said(text: string): Read {
  return { kind: "said", message: { type: "text", text } };
}

/** Returns an example date that shows the order of day, month and year. */
function exampleDate(locale: string, hasTime: boolean): string {
  return dateAsTyped(`${new Date().getFullYear()}-12-31${hasTime ? "T14:30" : ""}`, locale);
}

/** The index of the date whose calendar is open, and the chosen days. */
type Open = { readonly index: number; readonly days: readonly (string | undefined)[] };

function DateInput(props: FieldProps) {
  const { input, words, questionId, errorId } = props;
  const isLive = useLive(props.isLive);
  const locale = isLive ? typingLocale(words.language) : undefined;
  const values = initialDates(input, props.initial);
  const fields = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const [open, setOpen] = useState<Open>();
  const box = useRef<HTMLDivElement>(null);
  const daysNow = () => fields.map(({ current }) => (current && locale ? typedDay(current.value, locale) : undefined));
  const close = (index: number) => {
    setOpen(undefined);
    const field = fields[index]?.current;
    const next = field?.form?.querySelector<HTMLElement>(`[name=${field.name}-time]`) ?? field;
    // Without a mouse, focusing a field would open the on-screen keyboard, so the field's calendar button receives the
    // focus.
    (hasPointer() ? next : box.current?.querySelectorAll<HTMLElement>(".calendar-button")[index])?.focus();
  };
  const choose = (index: number, day: string) => {
    const field = fields[index]?.current;
    if (!field || locale === undefined) return;
    field.value = dateAsTyped(day, locale);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const days = daysNow();
    if (index === 0 && isRange(input) && days[1] === undefined) setOpen({ index: 1, days });
    else close(index);
  };
  const hintId = `${input.id}-hint`;
  const calendarId = `${input.id}-calendar`;
  const described = describedBy(locale !== undefined && hintId, errorId);
  const drawn = (name: string, index: number, label: string, aria: DateFieldProps["aria"]) => (
    <DateField
      {...{ input, words, locale, name, label, calendarId }}
      value={values[index] ?? ""}
      aria={{ ...aria, "aria-describedby": described }}
      field={fields[index] ?? { current: null }}
      isOpen={open?.index === index}
      onToggle={() => (open?.index === index ? close(index) : setOpen({ index, days: daysNow() }))}
    />
  );
  return (
    <div class="date-input" ref={box}>
      {open && locale !== undefined && (
        <Calendar
          key={open.index}
          id={calendarId}
          chosen={open.days[open.index]}
          otherEnd={open.days[1 - open.index]}
          min={(open.index === 1 ? open.days[0] : undefined) ?? limitOf(input, "min")?.slice(0, dayLength)}
          max={limitOf(input, "max")?.slice(0, dayLength)}
          {...{ locale, words }}
          label={isRange(input) ? (ends(props)[open.index]?.label ?? "") : words.date}
          onChoose={(day) => choose(open.index, day)}
          onClose={() => close(open.index)}
        />
      )}
      {isRange(input) ? (
        <fieldset class="typebot-input date-range" aria-describedby={described} {...nameOf(questionId, words.date)}>
          {ends(props).map(({ name, label }, index) => (
            <div class="date-line" key={name}>
              <label class="date-label" for={`${input.id}-${name}`}>
                {label}
              </label>
              <div class="date-parts">
                {drawn(name, index, label, { id: `${input.id}-${name}`, "aria-invalid": errorId && "true" })}
              </div>
            </div>
          ))}
          <SendButton label={buttonLabel(input)} words={words} />
        </fieldset>
      ) : (
        <div class="typebot-input field-row date-parts">
          {drawn("from", 0, words.date, ariaNames(props, words.date))}
          <SendButton label={buttonLabel(input)} words={words} />
        </div>
      )}
      {locale !== undefined && (
        <p class="field-hint" id={hintId}>
          {say(words, "example", { example: exampleDate(locale, hasTime(input)) })}
        </p>
      )}
    </div>
  );
}

const dayLength = "2026-05-31".length;

function ends({ input, words }: FieldProps) {
  return [
    { name: "from", label: filledTextAt(input, "options", "labels", "from") ?? words.dateFrom },
    { name: "to", label: filledTextAt(input, "options", "labels", "to") ?? words.dateTo },
  ];
}
