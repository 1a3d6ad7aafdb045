import { defineInput } from "../../interpreter/program/block.ts";
import { advanced, blockSchema, helped, option } from "../options.ts";
import { parseDates, printDate } from "./dates.ts";
import examples from "./examples.json";
import { acceptOrRetry, replyText, shownOptions } from "./helpers.ts";

const defaultFormat = "HH:mm";

const schema = blockSchema({
  variableId: option.answerVariable,
  labels: option.labels({ button: option.text("Label of the submit button.", "Send") }),
  format: advanced(
    helped(
      "`HH` is the hour, and `mm` the minute. `hh:mm a` shows am or pm.",
      option.suggested(
        ["HH:mm", "hh:mm a", "HH:mm:ss"],
        "Format of the answer as a date-fns pattern. Variables in the pattern are not replaced.",
        defaultFormat,
      ),
    ),
  ),
});

export const timeInput = defineInput({
  type: "time input",
  inputType: "time",
  summary: "Reads a time of day in figures or English words, and stores it in `format`.",
  schema,
  ask: ({ options }, view) => shownOptions(options, view),
  reply({ options }, view, reply) {
    const said = parseDates(replyText(reply) ?? "", { now: view.now, isDayFirst: false });
    return acceptOrRetry(said && printDate(said.start, options?.format, defaultFormat));
  },
  editor: {
    name: "Time",
    icon: "clock",
    words: ["hour", "minute", "appointment"],
    row: ["{options.format}"],
    related: ["date input", "text input"],
  },
  examples: examples["time input"],
});
