import { type Static, Type } from "@sinclair/typebox";
import { defineInput } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { advanced, helped, option, shownWhen, titled } from "../options.ts";
import { type ParsedDates, parseDateLimit, parseDates, printDate } from "./dates.ts";
import examples from "./examples.json";
import { acceptOrRetry, replyText, shownOptions } from "./helpers.ts";

const ofRange = <Field extends object>(field: Field) => shownWhen({ isRange: [true] }, field);

const optionsSchema = Type.Object({
  variableId: option.answerVariable,
  labels: option.labels({
    button: option.text("Label of the submit button.", "Send"),
    from: ofRange(option.text("Label of the start date of a range.", "From:")),
    to: ofRange(option.text("Label of the end date of a range.", "To:")),
    separator: ofRange(
      helped(
        "Separates the two dates in the answer.",
        option.text("Text that separates the two dates in the answer.", "to"),
      ),
    ),
  }),
  hasTime: titled("With a time", option.flag("Whether the answer includes a time.")),
  isRange: titled("Date range", option.flag("Whether the input asks for two dates.")),
  format: advanced(
    helped(
      "`dd` is the day, `MM` the month, `yyyy` the year, `HH:mm` the time.",
      option.suggested(
        ["dd/MM/yyyy", "MM/dd/yyyy", "yyyy-MM-dd", "d MMMM yyyy", "dd/MM/yyyy HH:mm"],
        "Format of the answer as a date-fns pattern. If `hasTime` is set, the default is `dd/MM/yyyy HH:mm`.",
        "dd/MM/yyyy",
      ),
    ),
  ),
  min: titled("Earliest", option.moment("The earliest date, such as `2024-05-31` or `2024-05-31T09:00`.")),
  max: titled("Latest", option.moment("The latest date. A date without a time includes the whole day.")),
});

type Options = Static<typeof optionsSchema>;

const dayFormat = "dd/MM/yyyy";
const minuteFormat = "dd/MM/yyyy HH:mm";

export const dateInput = defineInput({
  type: "date input",
  inputType: "date",
  summary:
    "Reads a date in figures or English words, and stores it in `format`. The day comes first if `format` begins with `dd`. Dates without a time are at noon.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  ask({ options }, view) {
    if (!options) return {};
    const { min, max } = limitsOf(options, view);
    const resolved = { ...(min && { min: min.shown }), ...(max && { max: max.shown }) };
    return shownOptions(options, view, resolved, ["min", "max"]);
  },
  reply({ options = {} }, view, reply) {
    const pattern = view.text(options.format);
    const isDayFirst = (pattern || dayFormat).startsWith("dd");
    const dates = parseDates(replyText(reply) ?? "", { now: view.now, isDayFirst });
    if (!dates || (options.isRange && dates.end === undefined) || !isWithin(dates, options, view))
      return { kind: "invalid" };
    const print = (instant: number) => printDate(instant, pattern, options.hasTime ? minuteFormat : dayFormat);
    if (!options.isRange || dates.end === undefined) return acceptOrRetry(print(dates.start));
    const { separator } = options.labels ?? {};
    return acceptOrRetry(
      `${print(dates.start)} ${separator === undefined ? "to" : view.text(separator)} ${print(dates.end)}`,
    );
  },
  editor: {
    name: "Date",
    icon: "calendar",
    words: ["day", "time", "appointment", "birthday", "range"],
    row: ["{options.format}"],
    related: ["time input", "text input", "number input"],
  },
  examples: examples["date input"],
});

function limitsOf({ min, max, hasTime = false }: Options, view: View) {
  return { min: parseDateLimit(view.text(min), { hasTime }), max: parseDateLimit(view.text(max), { hasTime }) };
}

/**
 * Returns whether the dates are within the limits of the input. A limit that is not a date is NaN and has no effect,
 * because every comparison with NaN is false.
 */
function isWithin({ start, end = start }: ParsedDates, options: Options, view: View): boolean {
  const { min, max } = limitsOf(options, view);
  const said = options.isRange ? [start, end] : [start];
  return !said.some((instant) => (max && instant > max.to) || (min && instant < min.from));
}
