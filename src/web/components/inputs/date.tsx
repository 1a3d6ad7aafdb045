/** @jsxImportSource preact */
import { filledTextAt, flagAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { fill, type Words } from "../../conversation/words.ts";
import css from "./date.css" with { type: "text" };
import { ariaNames, buttonLabel, nameOf, SendButton, textOf } from "./parts/field.tsx";
import type { FieldProps, InputKind, Read } from "./parts/input-kind.ts";

/** A day, a day with a time of it, or a range of two, picked with the browser's own calendar. */
export const dateInput: InputKind = {
  css,
  View(props) {
    const { input, initial } = props;
    const [from = "", to = ""] = initialDates(input, initial);
    return isRange(input) ? (
      <DateRange {...props} from={from} to={to} />
    ) : (
      <div class="typebot-input field-row">
        <DateField {...props} name="from" value={from} aria={ariaNames(props, props.words.date)} />
        <SendButton label={buttonLabel(input)} words={props.words} />
      </div>
    );
  },
  read(form, input, words) {
    const dates = (isRange(input) ? ["from", "to"] : ["from"]).map((name) => textOf(form, name).trim());
    const text = dates.join(" to ");
    const error = dates.includes("")
      ? isRange(input)
        ? words.bothDates
        : words.required
      : dateError(dates, input, words);
    return error === undefined ? said(text) : { kind: "wrong", error, draft: text };
  },
  shownReply(reply, input, { language }) {
    const dates = isRange(input) ? reply.split(" to ") : [reply];
    const [from, to] = dates.map((date) => new Date(date.includes("T") ? `${date}Z` : date));
    if (!from || !dates.every((date) => plainDate.test(date)) || Number.isNaN(Number(from) + Number(to ?? 0)))
      return undefined;
    const format = dateFormat(language, { hasTime: reply.includes("T") });
    return to ? format.formatRange(from, to) : format.format(from);
  },
};

function said(text: string): Read {
  return { kind: "said", message: { type: "text", text } };
}

type Dates = FieldProps & { readonly from: string; readonly to: string };

function DateRange(props: Dates) {
  const { input, words, questionId, errorId } = props;
  const labels = [
    { name: "from", value: props.from, label: filledTextAt(input, "options", "labels", "from") ?? words.dateFrom },
    { name: "to", value: props.to, label: filledTextAt(input, "options", "labels", "to") ?? words.dateTo },
  ];
  return (
    <fieldset class="typebot-input date-range" aria-describedby={errorId} {...nameOf(questionId, words.date)}>
      {labels.map(({ name, value, label }) => (
        <div class="date-line" key={name}>
          <label class="date-label" for={`${input.id}-${name}`}>
            {label}
          </label>
          <DateField
            {...props}
            name={name}
            value={value}
            aria={{ id: `${input.id}-${name}`, "aria-describedby": errorId, "aria-invalid": errorId && "true" }}
          />
        </div>
      ))}
      <SendButton label={buttonLabel(input)} words={words} />
    </fieldset>
  );
}

type DateFieldProps = FieldProps & {
  readonly name: string;
  readonly value: string;
  readonly aria: Record<string, string | undefined>;
};

function DateField({ input, name, value, aria }: DateFieldProps) {
  return (
    <input
      class="text-input typebot-datetime-input"
      type={hasTime(input) ? "datetime-local" : "date"}
      name={name}
      defaultValue={value}
      min={limitOf(input, "min")}
      // Limits the year to four digits: after them the browser moves on to the next part.
      max={limitOf(input, "max") ?? limitText("9999-12-31", "max", hasTime(input))}
      required
      {...aria}
    />
  );
}

function isRange(input: Input): boolean {
  return flagAt(input, "options", "isRange") === true;
}

function hasTime(input: Input): boolean {
  return flagAt(input, "options", "hasTime") === true;
}

const plainDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/;

/** A limit in the field's format; undefined where it is no date. */
function limitOf(input: Input, name: "min" | "max"): string | undefined {
  const limit = textAt(input, "options", name)?.slice(0, "2024-05-31T09:00".length) ?? "";
  return plainDate.test(limit) ? limitText(limit, name, hasTime(input)) : undefined;
}

function limitText(limit: string, name: "min" | "max", hasTime: boolean): string {
  const [day = "", time] = limit.split("T");
  return hasTime ? `${day}T${time ?? (name === "min" ? "00:00" : "23:59")}` : day;
}

/** The error of dates that a picker would not allow. Dates in another format are left to the server. */
function dateError(dates: readonly string[], input: Input, words: Words): string | undefined {
  if (!dates.every((date) => plainDate.test(date))) return undefined;
  const min = limitOf(input, "min");
  const max = limitOf(input, "max");
  const [from = "", to = from] = dates;
  if (to < from) return words.dateOrder;
  if (min !== undefined && from < min) return fill(words.dateTooEarly, { limit: dateIn(words, min) });
  if (max !== undefined && to > max) return fill(words.dateTooLate, { limit: dateIn(words, max) });
  return undefined;
}

/** A date of a picker as the page's language writes it. */
function dateIn({ language }: Words, date: string): string {
  const hasTime = date.includes("T");
  return dateFormat(language, { hasTime }).format(new Date(hasTime ? `${date}Z` : date));
}

function dateFormat(language: string, { hasTime }: { hasTime: boolean }): Intl.DateTimeFormat {
  const time = hasTime ? ({ timeStyle: "short" } as const) : {};
  return new Intl.DateTimeFormat(language, { dateStyle: "long", ...time, timeZone: "UTC" });
}

/** The dates of an answer, in the picker's format or in the block's. */
function initialDates(input: Input, initial: string): string[] {
  const separator = filledTextAt(input, "options", "labels", "separator") ?? "to";
  const between = initial.includes(` ${separator} `) ? ` ${separator} ` : " to ";
  const parts = isRange(input) ? initial.split(between) : [initial];
  return parts.map((part) => pickerDate(part.trim(), input) ?? "");
}

function pickerDate(text: string, input: Input): string | undefined {
  const date = plainDate.test(text) ? text : storedDate(text, input);
  if (date === undefined) return undefined;
  return hasTime(input) ? (date.includes("T") ? date : `${date}T12:00`) : date.slice(0, "2024-05-31".length);
}

/** Reads a date in the block's format, where that consists of digits only. */
function storedDate(text: string, input: Input): string | undefined {
  const usual = hasTime(input) ? "dd/MM/yyyy HH:mm" : "dd/MM/yyyy";
  const format = filledTextAt(input, "options", "format") ?? usual;
  const names: string[] = [];
  const pattern = format.replaceAll(/yyyy|MM|dd|HH|mm|[^a-z]/gu, (part) => {
    if (!/^[a-z]/i.test(part)) return `\\u{${part.codePointAt(0)?.toString(16)}}`;
    names.push(part);
    return `(\\d{${part.length}})`;
  });
  const found = /[a-z]/i.test(format.replaceAll(/yyyy|MM|dd|HH|mm/g, ""))
    ? null
    : new RegExp(`^${pattern}$`, "u").exec(text);
  const part = (name: string): string | undefined => found?.[names.indexOf(name) + 1];
  if (!found || !["yyyy", "MM", "dd"].every((name) => names.includes(name))) return undefined;
  const time = names.includes("HH") && names.includes("mm") ? `T${part("HH")}:${part("mm")}` : "";
  return `${part("yyyy")}-${part("MM")}-${part("dd")}${time}`;
}
