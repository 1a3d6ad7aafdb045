import { Type } from "@sinclair/typebox";
import { defineInput } from "../../interpreter/program/block.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { advanced, blockSchema, helped, marked, option, shownWhen, titled } from "../options.ts";
import examples from "./examples.json";
import { acceptOrRetry, askedWith, checkedHere, numberIn, replyText, shownOptions } from "./helpers.ts";

const units =
  `acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare
  hour inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile
  mile-scandinavian milliliter millimeter millisecond minute month nanosecond ounce percent petabyte pound
  second stone terabit terabyte week yard year`.split(/\s+/);

const schema = blockSchema({
  variableId: option.answerVariable,
  labels: option.fieldLabels("Type a number..."),
  min: titled("At least", option.numberOrVariable("The minimum number.")),
  max: titled("At most", option.numberOrVariable("The maximum number.")),
  step: advanced(
    helped(
      "The increment of the arrow buttons; other numbers are also accepted.",
      option.numberOrVariable("The increment of the client's arrow buttons. Other numbers are also accepted."),
    ),
  ),
  locale: marked(
    {
      title: "Language",
      widget: "suggestion",
      examples: ["en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "pt-BR"],
      isAdvanced: true,
    },
    Type.Optional(
      Type.String({
        pattern: "^[a-z]{2}(-[A-Z]{2})?$",
        description: "The language in which the client formats the number, such as `de-DE`.",
        help: "The number's format: `de-DE` shows 1.234,5.",
      }),
    ),
  ),
  style: titled(
    "Format",
    option.word(["decimal", "currency", "percent", "unit"], "Number format in the client.", "decimal"),
  ),
  currency: shownWhen({ style: ["currency"] }, option.currency("Code of the currency that the client shows.")),
  unit: shownWhen({ style: ["unit"] }, option.word(units, "The unit that the client shows.")),
});

const { options } = schema.properties;
const shown = blockSchema({
  ...options.properties,
  min: option.number("The minimum number."),
  max: option.number("The maximum number."),
  step: option.number("The increment of the client's arrow buttons."),
});

const bounds = ["min", "max", "step"] as const;

export const numberInput = defineInput({
  type: "number input",
  inputType: "number",
  hasNumbers: true,
  summary: "Asks for a number between `min` and `max`, with a decimal comma or a decimal point.",
  schema,
  shown,
  ask({ options }, view) {
    const resolved: Record<string, number> = {};
    for (const name of bounds) {
      const bound = numberIn(options?.[name], view);
      if (bound !== undefined) resolved[name] = bound;
    }
    return shownOptions(options, view, resolved, bounds);
  },
  reply({ options }, view, reply) {
    const number = numberOf(replyText(reply) ?? "");
    if (number === undefined) return { kind: "invalid" };
    const min = numberIn(options?.min, view);
    const max = numberIn(options?.max, view);
    const isWithin = (min === undefined || number.value >= min) && (max === undefined || number.value <= max);
    return acceptOrRetry(isWithin ? number.content : undefined);
  },
  editor: {
    name: "Number",
    icon: "hash",
    words: ["amount", "quantity", "age", "integer", "decimal", "currency"],
    row: ["{options.labels.placeholder}"],
    form: [
      ...askedWith,
      cells("options.min", "options.max", "options.step"),
      cells("options.style", "options.currency", "options.unit"),
      checkedHere,
    ],
    related: ["text input", "rating input", "phone number input"],
  },
  examples: examples["number input"],
});

/** Returns the reply as a number and as the text to store, or undefined if the reply is not a finite number. */
function numberOf(text: string): { value: number; content: string } | undefined {
  const plain = text.trim().replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  return { value, content: text.startsWith("0") ? text : String(value) };
}
